// The page's state in the URL's fragment, which browsers never send to a server:
// z=… JSON deflated with zlib's header and checksum, j=… plain JSON where the browser cannot
// compress; both in base64url.

const kMaxCharacters = 60_000; // longer addresses break in mail programs and chats
const kMaxBytes = 4 << 20; // a link may be hostile: 60,000 characters can inflate to 45 MB

export class LinkError extends Error {
  title = 'The link cannot be shown as it was made';
}

// The fragment without '#', or null when the state is too long for an address.
export async function encodeLink(state, Compression = globalThis.CompressionStream) {
  const json = new TextEncoder().encode(JSON.stringify(compact(state)));
  const fragment = Compression
    ? `z=${toBase64(await through(json, new Compression('deflate')))}`
    : `j=${toBase64(json)}`;
  return fragment.length <= kMaxCharacters ? fragment : null;
}

// The state, or null when the fragment is none of ours.
export async function decodeLink(fragment, Decompression = globalThis.DecompressionStream) {
  const [, kind, data] = /^#?([zj])=(.*)$/.exec(fragment) ?? [];
  if (!kind) return null;
  if (kind === 'z' && !Decompression) {
    throw new LinkError('This browser cannot open compressed links. Use a newer one.');
  }
  try {
    const bytes = fromBase64(data);
    const json = kind === 'z' ? await through(bytes, new Decompression('deflate')) : bytes;
    return expand(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json)));
  } catch {
    throw new LinkError(
      'This link is damaged: part of it may have been cut off. Ask for it again.',
    );
  }
}

function compact({ text, model, selected, pinned, view, channel }) {
  return {
    t: text,
    m: model || undefined,
    s: selected || undefined,
    p: pinned?.length ? pinned : undefined,
    v: view,
    c: channel,
  };
}

function expand({ t, m, s, p, v, c }) {
  if (typeof t !== 'string') throw new TypeError('no text');
  const optional = (value) => (typeof value === 'string' ? value : null);
  const pinned = Array.isArray(p)
    ? [...new Set(p.filter((label) => typeof label === 'string'))]
    : [];
  return {
    text: t,
    model: optional(m),
    selected: optional(s),
    pinned: pinned.slice(0, 50),
    view: optional(v),
    channel: optional(c),
  };
}

async function through(bytes, transform) {
  const writer = transform.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  written.catch(() => {}); // the reader below meets the same error
  const chunks = [];
  let length = 0;
  for (let reader = transform.readable.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > kMaxBytes) {
      await reader.cancel();
      throw new RangeError('too much');
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  chunks.reduce((at, chunk) => (whole.set(chunk, at), at + chunk.length), 0);
  return whole;
}

function toBase64(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 4096) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
