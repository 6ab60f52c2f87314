// Where the text comes from: typed, pasted, or one of the server's examples.
import { byId, h } from './dom.js';

const kExcerpt = 150;

export class Composer {
  constructor(onClassify) {
    this.form = byId('composer-form');
    this.input = byId('text');
    this.button = byId('classify');
    this.onClassify = onClassify;
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.#submit();
      }
    });
    this.input.addEventListener('input', () => this.#refresh());
    byId('clear').addEventListener('click', () => {
      this.setText('');
      this.input.focus();
    });
    this.#refresh();
  }

  setText(text) {
    this.input.value = text;
    this.#refresh();
  }

  setBusy(busy) {
    this.button.setAttribute('aria-disabled', String(busy));
    this.button.textContent = busy ? 'Classifying …' : 'Classify';
  }

  setExamples(examples) {
    byId('examples').hidden = examples.length === 0;
    byId('example-list').replaceChildren(
      ...examples.map((example) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'example',
              onclick: () => {
                this.setText(example.text);
                this.onClassify(example.text);
              },
            },
            h('span', { class: 'excerpt', dir: 'auto', text: excerpt(example.text) }),
            h('span', {
              class: 'example-labels',
              text: (example.labels ?? []).slice(0, 4).join(' · '),
            }),
          ),
        ),
      ),
    );
  }

  #submit() {
    const text = this.input.value;
    if (text.trim() === '') this.input.focus();
    else if (this.button.getAttribute('aria-disabled') !== 'true') this.onClassify(text);
  }

  #refresh() {
    byId('clear').hidden = this.input.value === '';
  }
}

// The text's beginning, cut between words where there are spaces, never within a character.
export function excerpt(text) {
  const characters = [
    ...text
      .slice(0, 4 * kExcerpt)
      .replace(/\s+/g, ' ')
      .trim(),
  ];
  if (characters.length <= kExcerpt) return characters.join('');
  const beginning = characters.slice(0, kExcerpt).join('');
  const space = beginning.lastIndexOf(' ');
  return `${space > kExcerpt / 2 ? beginning.slice(0, space) : beginning} …`;
}
