// A text with its words shaded by weight, and the legend that says what the shades mean.
import { h } from './dom.js';
import { weight as formatWeight } from './format.js';
import { largest, shades, ticks } from './heat.js';
import { pieces } from './offsets.js';

export class HeatText {
  constructor({ text, ranges }) {
    this.spans = [];
    const parts = pieces(text, ranges).map((piece) => {
      if (piece.word < 0) return document.createTextNode(piece.text);
      const span = document.createElement('span');
      span.className = 'w';
      span.textContent = piece.text;
      span.dataset.word = piece.word;
      this.spans.push(span);
      return span;
    });
    this.element = h('p', { class: 'heat', dir: 'auto' }, parts);
  }

  paint(weights) {
    const values = shades(weights);
    this.spans.forEach((span, word) => {
      span.style.setProperty('--shade', Math.abs(values[word]).toFixed(3));
      span.classList.toggle('against', values[word] < 0);
    });
    return this;
  }
}

export function legend(weights, signed) {
  const max = largest(weights);
  const marks = ticks(max, signed).map((tick) => h('span', { text: formatWeight(tick) }));
  return h(
    'div',
    { class: signed ? 'legend signed' : 'legend' },
    signed ? h('span', { class: 'legend-end', text: 'against' }) : null,
    h(
      'div',
      { class: 'legend-scale' },
      h('div', { class: 'legend-ramp', 'aria-hidden': 'true' }),
      h('div', { class: 'legend-ticks' }, marks),
    ),
    signed ? h('span', { class: 'legend-end', text: 'for the label' }) : null,
  );
}

// Shows the weight of the word under the pointer in `readout`, and that word in all copies of the
// text within `root`. `copies`: [{readout, words, weights}], in the order of the texts in `root`.
export function followPointer(root, copies) {
  const texts = [...root.querySelectorAll('.heat')];
  let marked = [];
  const clear = () => {
    marked.forEach((span) => span.classList.remove('pointed'));
    copies.forEach(({ readout }) => {
      readout.textContent = '';
    });
    marked = [];
  };
  const follow = (event) => {
    const word = event.target.dataset?.word;
    clear();
    if (word === undefined) return;
    marked = texts.flatMap((text) => [...text.querySelectorAll(`[data-word="${word}"]`)]);
    marked.forEach((span) => span.classList.add('pointed'));
    copies.forEach(({ readout, words, weights }) => {
      readout.textContent = `${words[word]} ${formatWeight(weights[word])}`;
    });
  };
  root.onpointerover = follow;
  root.onpointerleave = clear;
}
