// The server's HTTP interface. Every failure is an ApiError whose message can be shown to people.

export class ApiError extends Error {
  constructor(status, message, retryAfter = null) {
    super(message);
    this.status = status; // 0: no answer came
    this.retryAfter = retryAfter; // seconds, where the server gave them
  }
}

export class Api {
  constructor({
    base,
    fetch = globalThis.fetch.bind(globalThis),
    token = '',
    onAnswer = () => {},
  }) {
    this.base = base;
    this.fetch = fetch;
    this.token = token;
    this.onAnswer = onAnswer; // called when an explanation's bytes are there, before they are read
  }

  models = () => this.request('v1/models').then((answer) => answer.models);
  examples = () => this.request('v1/examples').then((answer) => answer.examples);
  labels = (model) =>
    this.request(`v1/labels?model=${encodeURIComponent(model)}`).then((answer) => answer.labels);
  explain = (body, signal) => this.request('v1/explain', { body, signal });

  async request(path, { body, signal } = {}) {
    const headers = { Accept: 'application/json' };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (body) headers['Content-Type'] = 'application/json';
    const response = await this.fetch(new URL(path, this.base), {
      method: body ? 'POST' : 'GET',
      headers,
      signal,
      body: body && JSON.stringify(body),
    }).catch(noAnswer);
    const text = await response.text().catch(noAnswer);
    if (!response.ok) throw refusal(response, text);
    if (body) this.onAnswer();
    try {
      return JSON.parse(text);
    } catch {
      throw new ApiError(
        response.status,
        'The server’s answer is not JSON. Is a proxy between it and this page?',
      );
    }
  }
}

function noAnswer(error) {
  if (error.name === 'AbortError') throw error;
  throw new ApiError(0, 'No answer from the server. Is it running, and can this machine reach it?');
}

function refusal(response, text) {
  return new ApiError(
    response.status,
    messageIn(text) ?? `The server answered with status ${response.status}.`,
    secondsToWait(response.headers.get('Retry-After')),
  );
}

function messageIn(text) {
  try {
    const { error } = JSON.parse(text);
    return typeof error?.message === 'string' ? error.message : null;
  } catch {
    return null;
  }
}

// Retry-After holds seconds or a date.
export function secondsToWait(header, now = Date.now()) {
  if (!header) return null;
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

// What to say about a failure: {title, message, wait, needsToken}.
export function describe(error) {
  const status = error instanceof ApiError ? error.status : -1;
  return {
    title: error.title ?? titleOf(status),
    message: error.message,
    wait: status === 429 || status === 503 ? (error.retryAfter ?? 1) : 0,
    needsToken: status === 401,
  };
}

function titleOf(status) {
  switch (status) {
    case -1:
      return 'The answer could not be shown';
    case 0:
      return 'The server does not answer';
    case 401:
      return 'This server asks for a token';
    case 413:
      return 'The text is too long for this server';
    case 429:
      return 'The server is busy';
    case 503:
      return 'The server is not ready';
    default:
      return status < 500 ? 'The server refused the request' : 'The server failed';
  }
}
