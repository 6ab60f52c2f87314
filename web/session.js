// The page's state and the requests that change it. Knows the API, not the document; calls
// `changed(what)` after each change.
import { wellFormed } from './offsets.js';
import { LinkError } from './permalink.js';
import { addAnswer, firstChoice, makeResult, predictedLabels } from './result.js';
import { buildTree } from './tree.js';

export const kViews = ['words', 'compare', 'levels', 'components'];

export class Session {
  models = [];
  examples = [];
  model = '';
  text = '';
  result = null;
  selected = null;
  pinned = [];
  view = 'words';
  channel = null; // null: the first that a label has
  busy = false;
  failure = null; // {error, retry}

  #trees = new Map();
  #abort = new AbortController();
  #classifying = null; // the controller of the classification under way

  constructor(api, changed) {
    this.api = api;
    this.changed = changed;
  }

  start(link) {
    return this.#attempt(
      async () => {
        await (link ? this.#restore(link) : this.#meetServer());
      },
      () => this.start(link),
    );
  }

  restore(link) {
    return this.#attempt(
      () => this.#restore(link),
      () => this.restore(link),
    );
  }

  classify(text) {
    return this.#attempt(
      async () => {
        await this.#meetServer();
        await this.#classify(text);
      },
      () => this.classify(text),
    );
  }

  setModel(name) {
    this.model = name;
    return this.result || this.#classifying
      ? this.#attempt(
          () => this.#again(),
          () => this.setModel(name),
        )
      : this.changed('model');
  }

  select(label) {
    this.selected = label;
    this.changed('selected');
    return this.#explainMissing([label], () => this.select(label));
  }

  togglePin(label) {
    const had = this.pinned.includes(label);
    this.pinned = had ? this.pinned.filter((other) => other !== label) : [...this.pinned, label];
    this.changed('pinned');
    return had ? Promise.resolve() : this.#explainPinned(label);
  }

  setView(view) {
    this.view = view;
    this.changed('view');
    return view === 'components' && this.result ? this.#needComponents() : Promise.resolve();
  }

  setChannel(channel) {
    this.channel = channel;
    this.changed('channel');
  }

  edit() {
    this.#abort.abort();
    this.result = null;
    this.failure = null;
    this.changed('result');
  }

  dismiss() {
    this.failure = null;
    this.changed('failure');
  }

  link() {
    const { text, model, selected, pinned, view, channel } = this;
    return { text, model, selected, pinned, view, channel };
  }

  async #meetServer() {
    if (this.models.length > 0) return;
    [this.models, this.examples] = await Promise.all([this.api.models(), this.api.examples()]);
    this.model = this.#defaultModel();
    this.changed('models');
  }

  async #restore(link) {
    this.text = link.text;
    this.changed('text');
    await this.#meetServer();
    const model = link.model && this.#served(link.model);
    this.model = model || this.#defaultModel();
    this.view = kViews.includes(link.view) ? link.view : 'words';
    this.channel = link.channel;
    await this.#classify(link.text, link);
    if (link.model && !model) {
      throw new LinkError(
        `The link was made with the model “${link.model}”, which is not served here. ` +
          `Shown is what “${this.model}” says.`,
      );
    }
  }

  #again() {
    return this.#classify(this.text, this.link());
  }

  // `wanted`: labels that were selected and pinned before; those that this model lacks are dropped.
  async #classify(text, wanted = {}) {
    this.#abort.abort();
    const own = (this.#abort = this.#classifying = new AbortController());
    this.text = wellFormed(text);
    try {
      const asked = { text: this.text, model: this.model || undefined, all_scores: true };
      const [tree, answer] = await Promise.all([this.#tree(this.model), this.#explain(asked)]);
      this.result = makeResult(answer, await this.#treeFor(answer, tree));
    } finally {
      if (this.#classifying === own) this.#classifying = null;
    }
    const known = (label) => label && this.result.tree.nodes.has(label);
    this.selected = known(wanted.selected) ? wanted.selected : firstChoice(this.result);
    this.pinned = (wanted.pinned ?? []).filter(known);
    this.changed('result');
    await this.#fetchMissing([this.selected, ...this.pinned]);
    if (this.view === 'components') await this.#fetchComponents();
  }

  #explain(body) {
    return this.api.explain(body, this.#abort.signal);
  }

  #explainMissing(labels, retry) {
    if (labels.every((label) => this.result.explained.has(label))) return Promise.resolve();
    return this.#attempt(() => this.#fetchMissing(labels), retry);
  }

  #explainPinned(label) {
    return this.#explainMissing([label], () => this.#explainPinned(label));
  }

  async #fetchMissing(labels) {
    const { result } = this;
    const missing = labels.filter((label) => label && !result.explained.has(label));
    if (missing.length === 0) return;
    await this.#extend(result, { labels: missing });
  }

  #needComponents() {
    if (this.result.components) return Promise.resolve();
    return this.#attempt(
      () => this.#fetchComponents(),
      () => this.#needComponents(),
    );
  }

  async #fetchComponents() {
    const { result } = this;
    if (result.components) return;
    // A component is used as far as the labels of the text use it.
    const labels = predictedLabels(result).map(({ label }) => label);
    await this.#extend(result, {
      components: true,
      labels: labels.length > 0 ? labels : undefined,
    });
    result.components ??= []; // models without components leave them out
    this.changed('components');
  }

  async #extend(result, question) {
    const answer = await this.#explain({ text: result.text, model: result.model, ...question });
    if (result !== this.result) return;
    if (!addAnswer(result, answer)) return this.#again();
    this.changed('explained');
  }

  async #tree(model) {
    if (!this.#trees.has(model)) this.#trees.set(model, buildTree(await this.api.labels(model)));
    return this.#trees.get(model);
  }

  // The server may have loaded a model with other labels since the tree was read.
  async #treeFor(answer, tree) {
    if (Object.keys(answer.scores ?? {}).every((label) => tree.nodes.has(label))) return tree;
    this.#trees.delete(answer.model);
    return this.#tree(answer.model);
  }

  #served(name) {
    return this.models.some((model) => model.name === name) ? name : null;
  }

  #defaultModel() {
    return (this.models.find((model) => model.default) ?? this.models[0])?.name ?? '';
  }

  // One action at a time is shown as under way; a newer one makes an older one's failure moot.
  async #attempt(action, retry) {
    this.failure = null;
    this.busy = true;
    this.changed('busy');
    const turn = (this.#turn = {});
    try {
      await action();
    } catch (error) {
      if (error.name !== 'AbortError' && turn === this.#turn) this.failure = { error, retry };
    }
    if (turn !== this.#turn) return;
    this.busy = false;
    this.changed(this.failure ? 'failure' : 'busy');
  }

  #turn = null;
}
