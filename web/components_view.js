// What the model's components do with this text: how much each is used, its words, its labels.
import { bar, h } from './dom.js';
import { percent, plural, weight as formatWeight } from './format.js';
import { spread } from './heat.js';
import { HeatText, followPointer, legend } from './heat_view.js';
import { pathOf } from './tree.js';

const kAtFirst = 12;

export class ComponentsView {
  #result = null;
  #chosen = 0;
  #all = false;

  constructor(root, { onSelect }) {
    this.root = root;
    this.onSelect = onSelect;
  }

  render({ result }) {
    if (result !== this.#result) {
      this.#result = result;
      this.#chosen = 0;
      this.#all = false;
    }
    const { components } = result;
    if (components === null) return this.root.replaceChildren(hint('Asking the model …'));
    if (components.length === 0)
      return this.root.replaceChildren(hint('This model has no components.'));
    const component = components[this.#chosen];
    const weights = spread(component.words, result.words.length);
    const readout = h('span', { class: 'readout', 'aria-hidden': 'true' });
    this.root.replaceChildren(
      hint(
        'A component gathers words that belong together; labels read the text through components. ' +
          'The most used for this text come first.',
      ),
      h(
        'div',
        { class: 'components' },
        h('div', {}, this.#list(components), this.#moreButton(components)),
        h(
          'article',
          { class: 'card' },
          h('div', { class: 'card-head' }, h('h3', { text: nameOf(component) })),
          new HeatText(result).paint(weights).element,
          h(
            'div',
            { class: 'scale-line' },
            readout,
            legend(
              weights,
              weights.some((weight) => weight < 0),
            ),
          ),
          this.#labels(component),
        ),
      ),
    );
    followPointer(this.root, [{ readout, words: result.words, weights }]);
  }

  #list(components) {
    const most = Math.max(...components.map(({ use }) => use));
    const shown = this.#all ? components : components.slice(0, kAtFirst);
    return h(
      'ul',
      { class: 'component-list' },
      shown.map((component, index) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'component',
              'aria-pressed': String(index === this.#chosen),
              onclick: () => this.#choose(index),
            },
            h('span', {
              class: 'level',
              'aria-label': `Level ${component.level}`,
              text: String(component.level),
            }),
            h('span', { class: 'component-name', text: `Component ${component.component}` }),
            bar(component.use / most),
            h('span', { class: 'score', text: percent(component.use) }),
            h('span', { class: 'component-words', dir: 'auto', text: this.#wordsOf(component) }),
          ),
        ),
      ),
    );
  }

  #wordsOf({ words }) {
    return [...new Set(words.map(([word]) => this.#result.words[word].toLocaleLowerCase()))]
      .slice(0, 4)
      .join(', ');
  }

  #choose(index) {
    this.#chosen = index;
    this.render({ result: this.#result });
    this.root.querySelectorAll('.component')[index].focus({ preventScroll: true });
    this.root.querySelector('.card').scrollIntoView({ block: 'nearest' }); // below the list on a phone
  }

  #moreButton(components) {
    if (this.#all || components.length <= kAtFirst) return null;
    return h('button', {
      class: 'quiet',
      type: 'button',
      text: `Show all ${components.length}`,
      onclick: () => {
        this.#all = true;
        this.#choose(this.#chosen);
      },
    });
  }

  #labels({ labels }) {
    if (labels.length === 0) return null;
    const most = Math.max(...labels.map(([, weight]) => Math.abs(weight)));
    return h(
      'section',
      { class: 'strongest' },
      h('h4', { text: plural(labels.length, 'label') }),
      h(
        'ol',
        {},
        labels.map(([label, weight]) =>
          h(
            'li',
            { class: weight < 0 ? 'against' : null },
            h('button', {
              class: 'link word',
              type: 'button',
              onclick: () => this.onSelect(label),
              text: pathOf(this.#result.tree, label).at(-1) ?? label,
            }),
            bar(Math.abs(weight) / most),
            h('span', { class: 'value', text: formatWeight(weight) }),
          ),
        ),
      ),
    );
  }
}

const nameOf = ({ level, component }) => `Level ${level} · component ${component}`;
const hint = (text) => h('p', { class: 'hint', text });
