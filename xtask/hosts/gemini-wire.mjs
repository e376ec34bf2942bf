// Compares our requests to Gemini with those of two programs that know the API:
// Gemini CLI, run headless for two turns a model, and Google's SDK for what the
// CLI never asks for. All three get the same history, tools and options, and send them to
// the same recording server; what they send must be equal but for the
// differences that are listed here with a reason.
//
//   node gemini-wire.mjs --ours FILE --packages DIR --work DIR
//
// `--ours` is the example `gemini_wire` of analects-host. Prints one line a case;
// leaves with 1 if one differs. What was sent stays in the work directory.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startFakeModel } from './fake-model.mjs';
import { differences } from './flat.mjs';
import { CASES, CLI, KEY, MODEL, PROMPT, sameAs } from './gemini-wire-cases.mjs';
import { HOSTS } from './hosts.mjs';
import { environment, makePlace, start } from './place.mjs';
import { plant } from './tree.mjs';

const OURS_LIMIT_MS = 60_000;
/** What must be at the head of a request, and what must not. */
const HEADERS = ['content-type', 'x-goog-api-key', 'authorization', 'cookie'];

async function main() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { ours: text, packages: text, work: text } });
  fs.rmSync(values.work, { recursive: true, force: true });
  fs.mkdirSync(values.work, { recursive: true });
  const started = Date.now();
  const asked = [];
  for (const one of CLI) asked.push(await askedByCli(values, one));
  const cases = [...asked, ...CASES];
  const bySdk = await recorded(values, 'sdk', (port) => askBySdk(values, CASES, port));
  const theirs = [...asked.map(({ request }) => request), ...bySdk];
  const ours = await recorded(values, 'ours', (port) => askByUs(values, cases, port));
  const failures = cases.flatMap((one, n) => compare(one, theirs[n], ours[n]));
  failures.forEach((failure) => console.log(`gemini wire: FAILED: ${failure}`));
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`gemini wire: ${cases.length} requests compared, ${failures.length} failures (${seconds} s)`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

/** The second turn of a real conversation, with a call and its answer in the history. */
async function askedByCli({ packages, work }, { name, model, intended }) {
  const dir = path.join(work, model);
  const place = makePlace(dir);
  const host = HOSTS.find(({ name }) => name === 'gemini');
  const notes = path.join(place.project, 'notes.txt');
  plant('/', { [notes]: 'The pond is long.\n' });
  const requests = await recorded({ work }, model, async (port) => {
    plant(place.home, host.settings({ port }));
    const command = [...host.command({ packages, prompt: PROMPT }), '--model', model];
    const run = await start(command, { cwd: place.project, env: environment(host, place, port), dir });
    if (run.code !== 0) throw new Error(`Gemini CLI left with ${run.code} (see ${dir})`);
  }, [{ read: notes }, { text: 'It is long.' }]);
  const request = requests.filter(({ kind }) => kind === 'turn').at(-1);
  if (!JSON.stringify(request?.body).includes('functionResponse')) throw new Error(`no call was made (see ${dir})`);
  return { name, intended, request, ours: { model, ...sameAs(request.body) } };
}

async function askBySdk({ packages }, cases, port) {
  const file = path.join(packages, 'genai/node_modules/@google/genai/dist/node/index.mjs');
  const { GoogleGenAI } = await import(pathToFileURL(file).href);
  const sdk = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: `http://127.0.0.1:${port}` } });
  for (const { sdk: ask } of cases) await ask(sdk.models);
}

/** Not in this process alone: the server must go on answering meanwhile. */
async function askByUs({ ours, work }, cases, port) {
  const file = path.join(work, 'cases.json');
  fs.writeFileSync(file, JSON.stringify(cases.map(({ ours: asked }) => ({ model: MODEL, ...asked }))));
  const dir = path.join(work, 'example');
  const env = { PATH: process.env.PATH, GEMINI_API_KEY: KEY, LANG: 'C.UTF-8' };
  fs.mkdirSync(dir, { recursive: true });
  const command = [ours, `http://127.0.0.1:${port}`, file];
  const { code, stderr } = await start(command, { cwd: dir, env, dir, limitMs: OURS_LIMIT_MS });
  if (code !== 0) throw new Error(`our example left with ${code}: ${stderr}`);
}

/** What `ask` sends to a server that answers everything. */
async function recorded({ work }, name, ask, script = []) {
  const record = path.join(work, `${name}.jsonl`);
  const model = await startFakeModel({ script, record });
  try {
    await ask(model.port);
  } finally {
    model.close();
  }
  const lines = fs.readFileSync(record, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Every difference is expected for a reason, and every expected difference is one. */
function compare({ name, intended = [] }, theirs, ours) {
  if (!theirs || !ours) return [`${name}: ${theirs ? 'we' : 'they'} sent nothing`];
  const lines = differences(sent(theirs), sent(ours));
  const surprises = lines.filter((line) => !intended.some(([pattern]) => pattern.test(line)));
  const stale = intended.filter(([pattern]) => !lines.some((line) => pattern.test(line)));
  return [
    ...surprises.map((line) => `${name}: ${line}`),
    ...stale.map(([pattern, why]) => `${name}: no such difference any more: ${pattern} (${why})`),
  ];
}

function sent({ method, path: target, headers, body }) {
  const url = new URL(target, 'http://loopback');
  const head = HEADERS.filter((name) => headers[name] !== undefined).map((name) => [name, plain(headers[name])]);
  return { method, path: url.pathname, query: Object.fromEntries(url.searchParams), head: Object.fromEntries(head), body };
}

/** Media types without parameters, which mean nothing here. */
function plain(value) {
  return value.replace(/;.*$/, '');
}

await main();
