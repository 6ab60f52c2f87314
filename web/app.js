// Puts the parts together: what the session says goes to the views, what people do to the session.
import { Api } from './api.js';
import { renderLevels, renderPinned } from './compare_view.js';
import { ComponentsView } from './components_view.js';
import { Composer } from './composer.js';
import { byId, h } from './dom.js';
import { percent, plural } from './format.js';
import { strongest } from './heat.js';
import { LabelView } from './label_view.js';
import { Notice } from './notice.js';
import { decodeLink, encodeLink } from './permalink.js';
import { channelOf, predictedLabels } from './result.js';
import { Session } from './session.js';
import { Tabs } from './tabs.js';
import { pathOf } from './tree.js';
import { TreeView } from './tree_view.js';

const kToken = 'hmtc-token';

const api = new Api({
  base: new URL('../', import.meta.url),
  token: sessionStorage.getItem(kToken) ?? '',
  onAnswer: () => performance.mark('hmtc:answer'),
});
const session = new Session(api, changed);

const actions = {
  onSelect: (label) => {
    if (session.view !== 'words') session.setView('words');
    session.select(label);
    if (isNarrow()) byId('panel').scrollIntoView();
  },
  onPin: (label) => session.togglePin(label),
  onChannel: (channel) => session.setChannel(channel),
};
const composer = new Composer((text) => session.classify(text));
const tree = new TreeView(byId('tree'), actions);
const labelView = new LabelView(byId('view-words'), actions);
const componentsView = new ComponentsView(byId('view-components'), actions);
const tabs = new Tabs(byId('tabs'), (view) => session.setView(view));
const notice = new Notice(byId('notice'), {
  onDismiss: () => session.dismiss(),
  onToken: (token) => {
    api.token = token;
    sessionStorage.setItem(kToken, token);
  },
});

function changed(what) {
  if (what === 'models') showModels();
  if (what === 'text') composer.setText(session.text);
  composer.setBusy(session.busy);
  byId('result').setAttribute('aria-busy', String(session.busy));
  document.body.classList.toggle('busy', session.busy);
  if (what === 'busy' || what === 'failure' || what === 'result') notice.show(session.failure);
  if (what === 'result') showResult();
  if (session.result && !['busy', 'failure', 'text'].includes(what)) showState(what);
}

function showModels() {
  const select = byId('model');
  select.replaceChildren(
    ...session.models.map((model) => h('option', { value: model.name, text: model.name })),
  );
  select.hidden = session.models.length < 2;
  byId('model-only').hidden = session.models.length !== 1;
  composer.setExamples(session.examples);
  showModel();
}

function showModel() {
  const model = session.models.find(({ name }) => name === session.model);
  if (!model) return;
  byId('model').value = model.name;
  byId('model-only').textContent = model.name;
  byId('model-facts').textContent =
    `${model.kind} · ${plural(model.labels, 'label')} in ${plural(model.levels.length, 'level')}`;
}

function showResult() {
  const { result } = session;
  document.body.classList.toggle('reading', Boolean(result));
  byId('composer').hidden = Boolean(result);
  byId('result').hidden = byId('copy-link').hidden = byId('edit').hidden = !result;
  showModel();
  if (!result) {
    composer.setText(session.text);
    byId('text').focus();
    return;
  }
  const predicted = predictedLabels(result).length;
  byId('summary').textContent =
    predicted === 0
      ? `None of ${result.tree.nodes.size} predicted; the most probable come first`
      : `${predicted} of ${result.tree.nodes.size} predicted`;
  byId('search').value = '';
  byId('search-box').hidden = result.tree.nodes.size <= 12;
  tree.reset(treeState());
  window.scrollTo(0, 0);
  document.querySelector('#tree [tabindex="0"]')?.focus({ preventScroll: true });
}

function treeState() {
  const { result, selected, pinned } = session;
  const predicted = new Set(predictedLabels(result).map(({ label }) => label));
  const keep = new Set([...predicted, ...pinned, selected].filter(Boolean));
  return { tree: result.tree, scores: result.scores, predicted, selected, pinned, keep };
}

function showState(what) {
  if (what !== 'result') tree.update(treeState());
  tabs.show(session.view);
  byId('pin-count').textContent = session.pinned.length > 0 ? String(session.pinned.length) : '';
  switch (session.view) {
    case 'compare':
      renderPinned(byId('view-compare'), session, actions);
      break;
    case 'levels':
      renderLevels(byId('view-levels'), session, actions);
      break;
    case 'components':
      componentsView.render(session);
      break;
    default:
      labelView.render(session);
  }
  timeRendering();
  announce(what);
  writeLink();
}

// From the answer's arrival to the words on the screen, for who looks (Performance panel, tests).
function timeRendering() {
  if (performance.getEntriesByName('hmtc:answer').length === 0) return;
  performance.measure('hmtc:rendered', 'hmtc:answer');
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (performance.getEntriesByName('hmtc:answer').length === 0) return;
      performance.measure('hmtc:painted', 'hmtc:answer');
      performance.clearMarks('hmtc:answer');
    }),
  );
}

// For those who do not see the page.
function announce(what) {
  const { result, selected, channel } = session;
  const label = result.explained.get(selected);
  const parts = [];
  if (what === 'result') {
    const predicted = predictedLabels(result).sort((a, b) => b.score - a.score);
    parts.push(
      `${plural(predicted.length, 'label')} predicted. `,
      predicted
        .slice(0, 5)
        .map(({ label, score }) => `${pathOf(result.tree, label).at(-1)} ${percent(score)}`)
        .join(', '),
      '. ',
    );
  }
  if (
    label &&
    ['result', 'selected', 'explained', 'channel'].includes(what) &&
    session.view === 'words'
  ) {
    const { weights } = channelOf(result, label, channel);
    const words = strongest(result.words, weights, 5).map(({ word }) => word);
    parts.push(`Strongest words for ${pathOf(result.tree, selected).at(-1)}: ${words.join(', ')}.`);
  }
  if (what === 'pinned') parts.push(`${plural(session.pinned.length, 'label')} pinned.`);
  if (parts.length > 0) byId('status').textContent = parts.join('');
}

let linksAsked = 0;
async function writeLink() {
  const turn = ++linksAsked;
  const fragment = await encodeLink(session.link());
  if (turn !== linksAsked) return;
  history.replaceState(null, '', fragment ? `#${fragment}` : location.pathname + location.search);
  byId('copy-link').disabled = !fragment;
  byId('copy-link').title = fragment ? '' : 'The text is too long for a link';
}

async function openLink() {
  try {
    return await decodeLink(location.hash);
  } catch (error) {
    session.failure = { error };
    return null;
  }
}

async function copyLink() {
  await writeLink();
  const button = byId('copy-link');
  const copied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  );
  const told = copied ? 'Link copied' : 'Copy it from the address bar';
  button.textContent = byId('status').textContent = told;
  setTimeout(() => {
    button.textContent = 'Copy link';
  }, 2500);
}

const isNarrow = () => matchMedia('(max-width: 56rem)').matches;

byId('model').addEventListener('change', (event) => {
  session.setModel(event.target.value);
  showModel();
});
byId('edit').addEventListener('click', () => session.edit());
byId('copy-link').addEventListener('click', copyLink);
byId('search').addEventListener('input', (event) => {
  const found = tree.search(event.target.value);
  byId('no-match').hidden = found > 0;
});
byId('to-labels').addEventListener('click', () => byId('labels').scrollIntoView());
byId('skip').addEventListener('click', (event) => {
  event.preventDefault(); // the fragment is the permalink's
  (session.result ? document.querySelector('#tree [tabindex="0"]') : byId('text'))?.focus();
});
window.addEventListener('hashchange', async () => {
  const link = await openLink();
  if (link) session.restore(link);
  else notice.show(session.failure);
});

const link = await openLink();
const linkFailure = session.failure;
await session.start(link);
if (linkFailure && !session.failure) notice.show((session.failure = linkFailure));
