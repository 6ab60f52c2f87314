// What went wrong and what can be done: try again (after the wait that the server asked for),
// give a token.
import { describe } from './api.js';
import { h } from './dom.js';

export class Notice {
  #timer = null;

  constructor(root, { onDismiss, onToken }) {
    this.root = root;
    this.onDismiss = onDismiss;
    this.onToken = onToken;
  }

  show(failure) {
    clearInterval(this.#timer);
    this.root.hidden = !failure;
    if (!failure) return this.root.replaceChildren();
    const { title, message, wait, needsToken } = describe(failure.error);
    this.root.replaceChildren(
      h('div', { class: 'notice-text' }, h('strong', { text: title }), h('p', { text: message })),
      needsToken ? this.#tokenForm(failure) : this.#actions(failure, wait),
    );
    if (needsToken) this.root.querySelector('input').focus();
  }

  #actions({ retry }, wait) {
    const again =
      retry && h('button', { type: 'button', class: 'retry', text: 'Try again', onclick: retry });
    if (again && wait > 0) this.#countDown(again, wait);
    return h(
      'div',
      { class: 'notice-actions' },
      again,
      h('button', { type: 'button', class: 'quiet', text: 'Dismiss', onclick: this.onDismiss }),
    );
  }

  #countDown(button, seconds) {
    const tell = () => {
      button.disabled = seconds > 0;
      button.textContent = seconds > 0 ? `Try again in ${seconds} s` : 'Try again';
      if (seconds-- <= 0) clearInterval(this.#timer);
    };
    this.#timer = setInterval(tell, 1000);
    tell();
  }

  #tokenForm({ retry }) {
    const input = h('input', {
      type: 'password',
      id: 'token',
      autocomplete: 'off',
      required: true,
    });
    return h(
      'form',
      {
        class: 'notice-actions',
        onsubmit: (event) => {
          event.preventDefault();
          this.onToken(input.value.trim());
          retry();
        },
      },
      h('label', { for: 'token', text: 'Token' }),
      input,
      h('button', { type: 'submit', text: 'Use token' }),
    );
  }
}
