// One label in detail: its path, the scores that make its probability, its words in the text.
import { bar, h, refill } from './dom.js';
import { percent, plural, weight as formatWeight } from './format.js';
import { strongest } from './heat.js';
import { HeatText, followPointer, legend } from './heat_view.js';
import { channelOf, channelsOf, kChannelMeanings, partsOf } from './result.js';
import { pathOf } from './tree.js';

const kStrongest = 8;

export class LabelView {
  #text = null;
  #result = null;
  #explainScores = false;

  constructor(root, { onPin, onChannel }) {
    this.root = root;
    this.onPin = onPin;
    this.onChannel = onChannel;
  }

  render({ result, selected, pinned, channel }) {
    if (this.#result !== result) {
      this.#text = new HeatText(result);
      this.#result = result;
    }
    const label = selected && result.explained.get(selected);
    if (!label) return this.#renderUnlit(result, selected);
    const shown = channelOf(result, label, channel);
    const weights = shown.weights;
    this.#text.paint(weights);
    const readout = h('span', { class: 'readout', 'aria-hidden': 'true' });
    refill(
      this.root,
      heading(result, label, pinned.includes(selected), () => this.onPin(selected)),
      scores(label, this.#explainScores, (open) => {
        this.#explainScores = open;
      }),
      h(
        'div',
        { class: 'scale-line' },
        channelSwitch(channelsOf(result, label), shown, this.onChannel),
        readout,
        legend(weights, shown.signed),
      ),
      this.#text.element,
      h('p', { class: 'hint', text: kChannelMeanings[shown.id] ?? '' }),
      strongestWords(result.words, weights),
    );
    followPointer(this.root, [{ readout, words: result.words, weights }]);
  }

  #renderUnlit(result, selected) {
    this.#text.paint(result.words.map(() => 0));
    const message = selected
      ? 'Asking the model …'
      : 'No label reaches its threshold for this text. Choose any label to see which words speak for it.';
    refill(
      this.root,
      selected
        ? h('h2', { class: 'label-name', text: pathOf(result.tree, selected).at(-1) })
        : null,
      h('p', { class: 'hint', text: message }),
      this.#text.element,
    );
  }
}

function heading(result, label, pinned, onPin) {
  const path = pathOf(result.tree, label.label);
  const facts = [
    `Level ${label.level}`,
    label.predicted ? 'predicted' : 'not predicted',
    label.label.toLowerCase() === path.at(-1).toLowerCase() ? null : label.label,
  ];
  return h(
    'div',
    { class: 'label-head' },
    h(
      'div',
      {},
      path.length > 1 ? h('p', { class: 'path', text: path.slice(0, -1).join(' › ') }) : null,
      h('h2', { class: 'label-name', text: path.at(-1) }),
      h('p', { class: 'facts', text: facts.filter(Boolean).join(' · ') }),
    ),
    h('button', {
      class: 'quiet pin-label',
      type: 'button',
      'aria-pressed': String(pinned),
      onclick: onPin,
      'data-focus': 'pin',
      text: pinned ? 'Unpin' : 'Pin to compare',
    }),
  );
}

function scores(label, open, onToggle) {
  const parts = partsOf(label);
  return h(
    'div',
    { class: 'scores' },
    h(
      'ul',
      { class: 'score-list' },
      parts.map((part) =>
        h(
          'li',
          { class: `part ${part.id}`, 'data-part': part.id },
          h('span', { class: 'part-name', text: part.name }),
          part.score === undefined
            ? null
            : [
                h('span', { class: 'part-value', text: percent(part.score) }),
                bar(part.score),
              ],
          vote(part),
        ),
      ),
    ),
    h(
      'details',
      { open, ontoggle: (event) => onToggle(event.target.open) },
      h('summary', { text: 'What these scores are', 'data-focus': 'scores' }),
      h(
        'dl',
        {},
        parts.map((part) =>
          h('div', {}, h('dt', { text: part.name }), h('dd', { text: part.meaning })),
        ),
      ),
      label.votes ? h('p', { text: kVotesMeaning }) : null,
    ),
  );
}

// What a part adds to the logit of the combined score, where the model weighs its parts.
function vote({ id, vote: logits }) {
  if (logits === undefined) return null;
  const text = `${id === 'combined' ? 'shift ' : ''}${signed(logits)}`;
  return h('span', { class: 'part-vote', text });
}

function signed(number) {
  const amount = Math.abs(number).toFixed(2);
  if (Number(amount) === 0) return amount;
  return `${number < 0 ? '−' : '+'}${amount}`;
}

const kVotesMeaning =
  'Below each part: what it adds to the logit of the combined score. With the shift of the label’s level they make it up, before a label is raised to its best child.';

// Which weights are shown, where a label has several kinds.
export function channelSwitch(channels, shown, onChannel) {
  if (channels.length < 2) return h('span', { class: 'channel-name', text: channels[0].name });
  return h(
    'div',
    { class: 'switch', role: 'group', 'aria-label': 'Weights shown' },
    channels.map((channel) =>
      h('button', {
        type: 'button',
        'data-channel': channel.id,
        'data-focus': `channel ${channel.id}`,
        'aria-pressed': String(channel.id === shown.id),
        text: channel.name,
        onclick: () => onChannel(channel.id),
      }),
    ),
  );
}

// The heat map for those who do not see colours.
function strongestWords(words, weights) {
  const list = strongest(words, weights, kStrongest);
  if (list.length === 0) return null;
  const most = Math.abs(list[0].weight);
  return h(
    'section',
    { class: 'strongest' },
    h('h3', { text: 'Strongest words' }),
    h(
      'ol',
      {},
      list.map((entry) =>
        h(
          'li',
          { class: entry.weight < 0 ? 'against' : null },
          h('span', { class: 'word', dir: 'auto', text: entry.word }),
          h('span', {
            class: 'times',
            text: entry.times > 1 ? `×${entry.times}` : '',
            'aria-label': entry.times > 1 ? plural(entry.times, 'time') : null,
          }),
          bar(Math.abs(entry.weight) / most),
          h('span', { class: 'value', text: formatWeight(entry.weight) }),
        ),
      ),
    ),
  );
}
