// A scripted model on loopback for real hosts: speaks the wire formats of
// Gemini, Anthropic and OpenAI, answers from a script, records every request.
//
//   node fake-model.mjs --script FILE --record FILE     (prints `port N`)
//
// The script is a JSON array; each request for a turn takes the next step:
//
//   {"call": "save_memory", "args": {…}}   the offered tool with that suffix
//   {"read": "/path/of/a/file"}            the host's own way to read a file
//   {"text": "…"}                          plain text, which ends the turn
//
// `"used": N` in a step claims that many prompt tokens, so that a host thinks
// its context is full. A request that offers no tools is a side request
// (titles, routing, summaries): it is answered, but takes no step. The record
// has one JSON object a line, `{n, method, path, headers, kind, step, body}`,
// where kind is `turn`, `aside`, `other` (lists of models, …) or `outside`: the
// port is a proxy too, which refuses every address beyond loopback.

import * as fs from 'node:fs';
import * as http from 'node:http';
import * as zlib from 'node:zlib';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as anthropic from './wire/anthropic.mjs';
import * as gemini from './wire/gemini.mjs';
import * as openai from './wire/openai.mjs';

const WIRES = [gemini, anthropic, openai];
/** What a side request gets: no host needs more than some text. */
const ASIDE = 'A short answer.';
/** What a turn gets when the script has no step left; a sign of a wrong script. */
export const OVERRUN = 'the script has no step left';

/** Starts the server; answers `{port, close}`. */
export async function startFakeModel({ script, record }) {
  fs.writeFileSync(record, '');
  const state = { script, record, nRequests: 0, nSteps: 0, hasSearched: false };
  const server = http.createServer((request, response) => {
    serve(state, request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  // As a proxy it lets nobody out, and tells who tried.
  server.on('connect', (request, socket) => {
    log(state, { request, kind: 'outside', body: null });
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: server.address().port, close };
}

async function serve(state, request, response) {
  const body = parseBody(await readBody(request), request.headers['content-encoding']);
  if (!request.url.startsWith('/')) {
    log(state, { request, kind: 'outside', body });
    response.writeHead(403).end();
    return;
  }
  const { pathname } = new URL(request.url, 'http://loopback');
  const wire = WIRES.find((candidate) => candidate.isModelRequest(request.method, pathname));
  if (!wire) {
    log(state, { request, kind: 'other', body });
    answerOther(request.method, pathname, response);
    return;
  }
  const tools = wire.offeredTools(body);
  const isTurn = tools.length > 0 && wire.isTurn(body);
  const step = isTurn ? state.nSteps : null;
  log(state, { request, kind: isTurn ? 'turn' : 'aside', step, body });
  const planned = isTurn ? (state.script[step] ?? { text: OVERRUN }) : { text: ASIDE };
  const answer = resolve(planned, tools, wire);
  if (isTurn) advance(state, answer);
  wire.respond(response, { answer, body, pathname, used: planned.used ?? 100 });
}

/** A search for a tool is part of the step that needs the tool; a second search would be the same again. */
function advance(state, answer) {
  const isFirstSearch = answer.call?.isSearch && !state.hasSearched;
  state.hasSearched = isFirstSearch;
  if (!isFirstSearch) state.nSteps += 1;
}

/** From what the script wants to what this host offers: text, or a call by its exact name. */
function resolve(step, tools, wire) {
  if (step.text !== undefined) return { text: step.text };
  if (step.read !== undefined) return { call: wire.readCall(step.read, tools) };
  const found = tools.find(({ name }) => name === step.call || name.endsWith(`_${step.call}`));
  const args = step.args ?? {};
  const call = found ? { ...found, args } : wire.hiddenCall(step.call, args, tools);
  return call ? { call } : { text: `no tool ${step.call} among ${tools.map(({ name }) => name).join(', ')}` };
}

function log(state, { request, kind, step = null, body }) {
  const { method, url, headers } = request;
  const entry = { n: state.nRequests++, method, path: url, headers, kind, step, body };
  fs.appendFileSync(state.record, `${JSON.stringify(entry)}\n`);
}

/** Lists of models, counts of tokens, health: hosts ask, none depends on the answer. */
function answerOther(method, pathname, response) {
  const known = WIRES.map((wire) => wire.answerOther(method, pathname)).find(Boolean);
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(known ?? { error: { message: 'not found' } }));
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parseBody(bytes, encoding) {
  const plain = encoding === 'gzip' ? zlib.gunzipSync(bytes) : bytes;
  try {
    return plain.length === 0 ? null : JSON.parse(plain.toString('utf8'));
  } catch {
    return plain.toString('utf8');
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { script: text, record: text } });
  if (!values.script || !values.record) throw new Error('missing --script FILE or --record FILE');
  const script = JSON.parse(fs.readFileSync(values.script, 'utf8'));
  const { port } = await startFakeModel({ script, record: values.record });
  console.log(`port ${port}`);
}
