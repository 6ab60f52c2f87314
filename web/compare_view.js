// Several copies of the text beside each other: one per pinned label, or one per level.
import { h, refill } from './dom.js';
import { percent } from './format.js';
import { mean } from './heat.js';
import { HeatText, followPointer, legend } from './heat_view.js';
import { channelSwitch } from './label_view.js';
import { byLevel, channelOf, channelsOf } from './result.js';
import { pathOf } from './tree.js';

export function renderPinned(root, { result, pinned, channel }, { onChannel, onPin, onSelect }) {
  const labels = pinned.map((label) => result.explained.get(label)).filter(Boolean);
  if (pinned.length === 0)
    return root.replaceChildren(
      hint(
        'Pin labels to read the text once for each, side by side: ' +
          'with the pin beside a label, or the space key in the tree.',
      ),
    );
  const cards = labels.map((label) =>
    card(
      result,
      channelOf(result, label, channel),
      h(
        'div',
        { class: 'card-head' },
        h(
          'div',
          {},
          h('p', { class: 'path', text: `Level ${label.level} · ${percent(label.score)}` }),
          h(
            'h3',
            {},
            h('button', {
              class: 'link',
              type: 'button',
              text: pathOf(result.tree, label.label).at(-1),
              onclick: () => onSelect(label.label),
            }),
          ),
        ),
        h('button', {
          class: 'quiet icon',
          type: 'button',
          text: '×',
          'aria-label': `Unpin ${label.label}`,
          onclick: () => onPin(label.label),
        }),
      ),
    ),
  );
  show(root, result, labels, channel, onChannel, cards);
}

export function renderLevels(root, { result, channel }, { onChannel, onSelect }) {
  const levels = byLevel(result);
  const explained = levels.flatMap(({ labels }) => labels);
  if (explained.length === 0)
    return root.replaceChildren(hint('No label reaches its threshold for this text.'));
  const cards = levels.map(({ level, labels }) => {
    const head = h(
      'div',
      { class: 'card-head' },
      h(
        'div',
        {},
        h('h3', { text: `Level ${level}` }),
        h(
          'p',
          { class: 'chips' },
          labels.length === 0
            ? 'nothing predicted'
            : labels.map((label) =>
                h(
                  'button',
                  { class: 'chip', type: 'button', onclick: () => onSelect(label.label) },
                  pathOf(result.tree, label.label).at(-1),
                  h('span', { text: percent(label.score) }),
                ),
              ),
        ),
      ),
    );
    if (labels.length === 0) return { element: h('article', { class: 'card' }, head) };
    const channels = labels.map((label) => channelOf(result, label, channel));
    return card(
      result,
      { ...channels[0], weights: mean(channels.map(({ weights }) => weights)) },
      head,
    );
  });
  show(
    root,
    result,
    explained,
    channel,
    onChannel,
    cards,
    hint('Each copy shows the mean weight of the level’s predicted labels.'),
  );
}

function card(result, shown, head) {
  const readout = h('span', { class: 'readout', 'aria-hidden': 'true' });
  return {
    element: h(
      'article',
      { class: 'card' },
      head,
      new HeatText(result).paint(shown.weights).element,
      h('div', { class: 'scale-line' }, readout, legend(shown.weights, shown.signed)),
    ),
    copy: { readout, words: result.words, weights: shown.weights },
  };
}

function show(root, result, labels, channel, onChannel, cards, note = null) {
  const [first] = labels;
  const bar =
    first &&
    h(
      'div',
      { class: 'scale-line' },
      channelSwitch(channelsOf(result, first), channelOf(result, first, channel), onChannel),
      note,
    );
  refill(
    root,
    bar,
    h(
      'div',
      { class: 'cards' },
      cards.map(({ element }) => element),
    ),
  );
  followPointer(root, cards.map(({ copy }) => copy).filter(Boolean));
}

const hint = (text) => h('p', { class: 'hint', text });
