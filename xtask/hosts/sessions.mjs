// A session that we wrote, in the hands of Gemini CLI: it lists it, resumes
// it, and goes on with it; and what it then sends to the model is the history
// that we make of the same record.

import * as path from 'node:path';
import { allText } from './checks.mjs';
import { startFakeModel } from './fake-model.mjs';
import { turnsOf } from './place.mjs';
import { plant } from './tree.mjs';

const CLAUDES = '7f56aae6-1e49-40ac-83ef-e13a6bd45854';
const PROMPT = 'Where is the pond, and how long is it?';
const ANSWER = 'The pond lies behind the mill.';
const COMMAND = 'wc -l pond.txt';
const OUTPUT = '12 pond.txt';
const TURNS = ['Is there a heron at the pond?', 'And a second heron?'];
const ANSWERS = ['One heron stands there.', 'No, only one.'];

const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Runs it all; answers the names of the checks, or throws with a sentence. */
export async function checkSessions({ place, host, packages, run, analects, dir }) {
  const { home, project } = place;
  const passed = [];
  plant(home, { [`.claude/projects/${project.replace(/[^A-Za-z0-9]/g, '-')}/${CLAUDES}.jsonl`]: claudeRecord(project) });
  const imported = JSON.parse(analects(['session', 'import', CLAUDES.slice(0, 8), '--trust', '--json']));
  const record = path.join(dir, 'requests.jsonl');
  const model = await startFakeModel({ script: ANSWERS.map((text) => ({ text })), record });
  try {
    plant(home, host.settings({ port: model.port }));
    const gemini = (args) => run([...host.command({ packages, prompt: '', home }).slice(0, 2), ...args], model.port);
    const listed = await gemini(['--list-sessions']);
    const list = listed.stdout + listed.stderr;
    if (!list.includes(imported.id)) throw new Error(`Gemini CLI does not list ${imported.id}: ${list}`);
    passed.push('it lists our session');
    for (const [n, prompt] of TURNS.entries()) {
      const before = JSON.parse(analects(['session', 'show', imported.id, '--history', '--trust', '--json'])).history;
      const options = ['--resume', imported.id, '-p', prompt, '--approval-mode', 'yolo', '-o', 'json'];
      const { code, stdout, stderr } = await gemini(options);
      if (code !== 0) throw new Error(`Gemini CLI left with ${code}: ${stderr}`);
      if (JSON.parse(stdout).response !== ANSWERS[n]) throw new Error(`it answered ${stdout}`);
      const { contents } = turnsOf(record).at(-1).body;
      sameHistory(before, contents, prompt);
      if (!allText(contents).includes(PROMPT) || !allText(contents).includes(OUTPUT)) throw new Error('the past is not in the request');
    }
    passed.push('it resumes with the history that we make of the record');
    const shown = JSON.parse(analects(['session', 'show', imported.id, '--trust', '--json']));
    const said = shown.turns.filter(({ role }) => role !== 'program').map(({ text }) => text.trim()).filter(Boolean);
    const expected = [PROMPT, ANSWER, TURNS[0], ANSWERS[0], TURNS[1], ANSWERS[1]];
    if (JSON.stringify(said) !== JSON.stringify(expected)) throw new Error(`we read ${JSON.stringify(said)}`);
    if (!shown.turns.some(({ tools }) => tools.some(({ input }) => input.includes(COMMAND)))) throw new Error('the command is gone');
    passed.push('we read what it wrote to our session');
  } finally {
    model.close();
  }
  return passed;
}

/** What the request holds of the past is what we say it is, word for word. */
export function sameHistory(ours, sent, prompt) {
  const last = sent.findLastIndex((content) => allText(content).includes(prompt));
  const theirs = sent.slice(0, last);
  const [a, b] = [ours, theirs].map((contents) => JSON.stringify(joined(contents)));
  if (a !== b) throw new Error(`the histories differ; ours: ${a}; theirs: ${b}`);
}

/** Turns of the same speaker in one, as the host sends them, without the context it puts before; members in order. */
function joined(contents) {
  const all = [];
  for (const { role, parts } of contents) {
    const kept = parts.filter(({ text }) => !text?.startsWith('<session_context>')).map((part) => ordered(plain(part)));
    if (all.at(-1)?.role === role) all.at(-1).parts.push(...kept);
    else all.push({ role, parts: kept });
  }
  return all.map(({ role, parts }) => ({ role, parts: withoutEchoes(parts) }));
}

/** An answer of a tool counts once: Gemini CLI records its own twice, and sends them twice when it resumes. */
function withoutEchoes(parts) {
  const seen = new Set();
  return parts.filter(({ functionResponse }) => {
    const is = functionResponse && JSON.stringify(functionResponse);
    const isNew = !is || !seen.has(is);
    if (is) seen.add(is);
    return isNew;
  });
}

/** Without what Gemini CLI puts there on the way out and takes away: signatures that are none, the tool's name in ids. */
function plain({ thoughtSignature, ...part }) {
  const kept = thoughtSignature && thoughtSignature !== NO_SIGNATURE ? { ...part, thoughtSignature } : { ...part };
  for (const kind of ['functionCall', 'functionResponse']) {
    const { id, name } = kept[kind] ?? {};
    if (id?.startsWith(`${name}__`)) kept[kind] = { ...kept[kind], id: id.slice(name.length + 2) };
  }
  return kept;
}

function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered);
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, ordered(value[key])]));
}

function claudeRecord(cwd) {
  const line = (uuid, type, content, more = {}) => JSON.stringify({
    type,
    uuid,
    sessionId: CLAUDES,
    timestamp: `2026-03-0${uuid}T10:00:00.000Z`,
    cwd,
    version: '2.1.325',
    message: { role: type, content, ...more },
  });
  const use = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: COMMAND } };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: OUTPUT };
  return [
    line('1', 'user', PROMPT),
    line('2', 'assistant', [use], { id: 'msg_1', model: 'm' }),
    line('3', 'user', [result]),
    line('4', 'assistant', [{ type: 'text', text: ANSWER }], { id: 'msg_2', model: 'm' }),
    '',
  ].join('\n');
}
