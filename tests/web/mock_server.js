// The HTTP interface of `hmtc serve`, as far as the page uses it, in front of the fake model.
// By itself: node tests/web/mock_server.js [PORT]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { examples, explain, labels, models } from './fake_model.js';

const kWeb = new URL('../../web/', import.meta.url);
const kTypes = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

export async function startMock(port = 0) {
  const server = createServer((request, response) =>
    answer(request, response).catch((error) =>
      refuse(response, error.status ?? 500, error.message),
    ),
  );
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function answer(request, response) {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/' || url.pathname.startsWith('/web/')) return file(url.pathname, response);
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /health/ready':
      return json(response, 200, { status: 'ok' });
    case 'GET /v1/models':
      return json(response, 200, { models });
    case 'GET /v1/examples':
      return json(response, 200, { examples });
    case 'GET /v1/labels':
      return json(response, 200, { model: served(url.searchParams.get('model')), labels });
    case 'POST /v1/explain':
      return json(response, 200, explain(checked(await bodyOf(request))));
    default:
      return refuse(response, 404, `There is no ${url.pathname}.`);
  }
}

async function file(path, response) {
  const name = path === '/' ? 'index.html' : path.slice('/web/'.length);
  if (!/^[a-z_]+\.(html|js|css|svg)$/.test(name))
    return refuse(response, 404, `There is no ${path}.`);
  const content = await readFile(fileURLToPath(new URL(name, kWeb)));
  response.writeHead(200, {
    'Content-Type': kTypes[name.split('.')[1]],
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'self'",
  });
  response.end(content);
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw bad('The body is not JSON in UTF-8.');
  }
}

function checked(body) {
  if (typeof body.text !== 'string' || body.text.trim() === '')
    throw bad('Expected "text", found none. Give one.');
  const unknown = (body.labels ?? []).find(
    (label) => !labels.some((known) => known.label === label),
  );
  if (unknown !== undefined) throw bad(`"labels": the model has no label "${unknown}".`);
  return { ...body, model: served(body.model) };
}

function served(name) {
  if (!name) return models[0].name;
  if (!models.some((model) => model.name === name)) throw bad(`There is no model "${name}".`, 404);
  return name;
}

const bad = (message, status = 400) => Object.assign(new Error(message), { status });

const refuse = (response, status, message) =>
  json(response, status, { error: { status, message } });

function json(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`listening on ${(await startMock(Number(process.argv[2] ?? 8080))).url}`);
}
