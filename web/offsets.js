// The API counts bytes of UTF-8, a JavaScript string counts UTF-16 code units.

// [[begin, end], …] in bytes, in order, to [[begin, end], …] in string positions. An offset inside
// a character belongs to the character's beginning.
export function stringRanges(text, byteRanges) {
  const position = positionsOfBytes(text);
  const bytes = position.length - 1;
  let last = 0;
  return byteRanges.map(([begin, end], index) => {
    if (!(last <= begin && begin <= end && end <= bytes)) {
      throw new RangeError(
        `word ${index} lies at bytes ${begin} to ${end}; expected between ${last} and ${bytes}`,
      );
    }
    last = end;
    return [position[begin], position[end]];
  });
}

// Element b is the string position of the character that byte b belongs to.
function positionsOfBytes(text) {
  const position = new Uint32Array(byteLength(text) + 1);
  let byte = 0;
  for (let unit = 0; unit < text.length;) {
    const code = text.codePointAt(unit);
    position.fill(unit, byte, (byte += bytesOf(code)));
    unit += code > 0xffff ? 2 : 1;
  }
  position[byte] = text.length;
  return position;
}

function byteLength(text) {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character.codePointAt(0));
  return bytes;
}

// A lone surrogate has no UTF-8; encoders write U+FFFD, three bytes, as this does.
function bytesOf(code) {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

// A text that UTF-8 can carry: lone surrogates (half an emoji, cut by a careless paste) replaced.
export function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

// The whole text in order, cut into words and what lies between them: {text, word}, word -1 between.
export function pieces(text, ranges) {
  const cut = [];
  let end = 0;
  ranges.forEach(([from, to], word) => {
    if (from > end) cut.push({ text: text.slice(end, from), word: -1 });
    cut.push({ text: text.slice(from, to), word });
    end = to;
  });
  if (end < text.length) cut.push({ text: text.slice(end), word: -1 });
  return cut;
}
