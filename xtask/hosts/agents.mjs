// Sessions with tool calls inside, handed from our agent to Gemini CLI and back:
// whoever goes on sends everything that was said and done before, in order, and
// writes to the same file.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { allText } from './checks.mjs';
import { OVERRUN, startFakeModel } from './fake-model.mjs';
import { turnsOf } from './place.mjs';
import { sameHistory } from './sessions.mjs';
import { plant } from './tree.mjs';

const MODEL = 'gemini-2.5-flash';
const POND = 'The pond is nine furlongs long.\n';
/** So much of it that a small window must be made room in. */
const REEDS = 'Reeds grow along the bank as far as one can see.\n';
const SMALL_WINDOW = 16_000;
/** A minute in which nobody ran. */
const OLD = '2026-01-02T03-04';
/** What the model's server counts in that window: so much before anything is read, and so much more with each file. */
const [BARE_TOKENS, READ_TOKENS] = [6_000, 2_000];
const FILES = [1, 2, 3, 4, 5, 6, 7, 8];
/** What stands where a compressed past stood. */
const SNAPSHOT = '<state_snapshot>';

/** Each prompt with what the model does about it: calls, and the answer. */
const PROMPTS = {
  mend: ({ project }) => ({
    prompt: 'The pond has grown by a furlong: put that right.',
    calls: [
      { call: 'read_file', args: { file_path: path.join(project, 'pond.txt') }, shows: 'nine furlongs' },
      {
        call: 'replace',
        args: { file_path: path.join(project, 'pond.txt'), instruction: 'Ten, not nine.', old_string: 'nine', new_string: 'ten' },
        shows: 'pond.txt',
      },
      { call: 'run_shell_command', args: { command: 'cat pond.txt | tr a-z A-Z' }, shows: 'TEN FURLONGS' },
    ],
    answer: 'It has ten furlongs now.',
  }),
  look: ({ project }) => ({
    prompt: 'Is there a heron?',
    calls: [{ call: 'read_file', args: { file_path: path.join(project, 'heron.txt') }, shows: 'One heron' }],
    answer: 'One heron stands there.',
  }),
  sum: () => ({
    prompt: 'Say it all in one line.',
    calls: [{ call: 'run_shell_command', args: { command: 'cat pond.txt heron.txt | wc -l' }, shows: '2' }],
    answer: 'Ten furlongs, one heron.',
  }),
  read: ({ project }) => ({
    prompt: 'Read what grows there; the heron must not be disturbed.',
    calls: FILES.map((n) => (
      { call: 'read_file', args: { file_path: path.join(project, `reeds-${n}.txt`) }, shows: REEDS.trim() }
    )),
    answer: 'Reeds.',
  }),
  end: () => ({ prompt: 'Is that all?', calls: [], answer: 'That is all.' }),
};

/** Who speaks when; `small` is a window in which the past must be compressed. */
export const STORIES = {
  'a session of ours goes on in Gemini CLI and comes back': [['ours', 'mend'], ['theirs', 'look'], ['ours', 'sum'], ['theirs', 'end']],
  'a session of Gemini CLI goes on in ours and goes back': [['theirs', 'mend'], ['ours', 'look'], ['theirs', 'sum'], ['ours', 'end']],
  'a session that we compressed goes on in Gemini CLI': [['ours', 'mend'], ['ours', 'read', 'small'], ['theirs', 'look'], ['ours', 'end']],
};

/** Plays a story; throws with a sentence. `agents` run the two programs with arguments, `show` prints our history. */
export async function playAgents({ place, story, agents, settings, show, dir }) {
  const { home, project } = place;
  plant(project, { 'pond.txt': POND, 'heron.txt': 'One heron.\n' });
  for (const n of FILES) plant(project, { [`reeds-${n}.txt`]: `${n}: ${REEDS.repeat(500)}` });
  const scenes = story.map(([who, name, window]) => ({ who, window, ...PROMPTS[name](place) }));
  const script = scenes.flatMap(({ calls, answer, window }) => {
    const used = (n) => (window ? { used: BARE_TOKENS + n * READ_TOKENS } : {});
    return [...calls.map(({ call, args }, n) => ({ call, args, ...used(n) })), { text: answer }];
  });
  const record = path.join(dir, 'requests.jsonl');
  const model = await startFakeModel({ script, record });
  const told = { before: [], text: '', n: 0 };
  try {
    plant(home, settings({ port: model.port }));
    for (const [n, scene] of scenes.entries()) {
      plant(home, { '.gemini/analects.json': { context: { windowTokens: scene.window ? SMALL_WINDOW : 1_000_000 } } });
      const past = n > 0 ? await show() : [];
      const resume = n > 0 ? ['--resume', 'latest'] : [];
      const words = [...resume, '-m', MODEL, '-p', scene.prompt, '--approval-mode', 'yolo'];
      const ran = await agents[scene.who](words, model.port);
      const where = `${scene.who}, prompt ${n + 1}`;
      if (ran.code !== 0 || !ran.stdout.includes(scene.answer)) throw new Error(`${where}: left with ${ran.code}: ${ran.stdout}${ran.stderr}`);
      const turns = turnsOf(record).slice(told.n);
      told.n += turns.length;
      check(where, { scene, turns, past, told });
      goesOn(where, home, told);
    }
    if (allText(turnsOf(record).map(({ body }) => body)).includes(OVERRUN)) throw new Error(OVERRUN);
    inOrder('the record at last', await show(), told.before);
  } finally {
    model.close();
  }
}

/** The first request of a prompt has the whole past, the last one what was done since. */
function check(where, { scene, turns, past, told }) {
  const [first, last] = [turns.at(0).body.contents, turns.at(-1).body.contents];
  inOrder(`${where}: the first request`, first, [...told.before, said(scene.prompt)]);
  sameHistory(past, first, scene.prompt);
  // No service need put up with an answer that comes twice; Gemini CLI sends its own so.
  if (scene.who === 'ours') turns.forEach(({ body }) => eachAnsweredOnce(where, body.contents));
  if (scene.window) {
    if (!allText(last).includes(SNAPSHOT)) throw new Error(`${where}: nothing was compressed`);
    told.before = [said(SNAPSHOT), answered(scene.answer)];
    return;
  }
  const done = scene.calls.flatMap(({ call, args, shows }) => [called(call, args), gave(call, shows)]);
  inOrder(`${where}: the last request`, last, [...told.before, said(scene.prompt), ...done]);
  told.before = [...told.before, said(scene.prompt), ...done, answered(scene.answer)];
}

/** There is one session in one file, in which nothing that was written is written over. */
function goesOn(where, home, told) {
  const all = sessionFiles(home).map((file) => ({ file, text: fs.readFileSync(file, 'utf8') }));
  // Gemini CLI leaves the beginning of another file behind when it resumes a session of another minute.
  const isMore = ({ text }) => text.split('\n').some((line) => line && JSON.parse(line).type === 'gemini');
  const [one, ...others] = all.filter(isMore);
  if (!one || others.length > 0) throw new Error(`${where}: sessions are in ${all.map(({ file }) => file).join(', ')}`);
  if (!one.text.startsWith(told.text)) throw new Error(`${where}: ${one.file} does not begin as before`);
  if (one.text.length === told.text.length) throw new Error(`${where}: nothing was recorded`);
  told.text = one.text;
  // So that the next one comes in another minute.
  const older = one.file.replace(/session-[^/]*-([^-/]*)$/, `session-${OLD}-$1`);
  fs.renameSync(one.file, older);
}

function sessionFiles(home) {
  const tmp = path.join(home, '.gemini/tmp');
  const names = fs.readdirSync(tmp, { recursive: true }).filter((name) => /chats\/session-.*\.jsonl?$/.test(name));
  return names.map((name) => path.join(tmp, name));
}

const said = (text) => ({ what: `the user's "${text}"`, is: ({ role, part }) => role === 'user' && part.text?.includes(text) });
const answered = (text) => ({ what: `the answer "${text}"`, is: ({ role, part }) => role === 'model' && part.text?.includes(text) });
const called = (name, args) => ({
  what: `the call of ${name}`,
  is: ({ role, part }) => role === 'model' && part.functionCall?.name === name && same(part.functionCall.args, args),
});
const gave = (name, shows) => ({
  what: `what ${name} answered`,
  is: ({ role, part }) => role === 'user' && part.functionResponse?.name === name && allText(part.functionResponse.response).includes(shows),
});

const same = (a, b) => Object.keys(b).every((key) => a?.[key] === b[key]);

/** All of them stand there, one after the other. */
function inOrder(where, contents, wanted) {
  const parts = contents.flatMap(({ role, parts }) => parts.map((part) => ({ role, part })));
  let at = 0;
  for (const { what, is } of wanted) {
    const found = parts.slice(at).findIndex(is);
    if (found < 0) throw new Error(`${where} lacks ${what}`);
    at += found + 1;
  }
}

function eachAnsweredOnce(where, contents) {
  const parts = contents.flatMap(({ parts }) => parts);
  const ids = (kind) => JSON.stringify(parts.map((part) => part[kind]).filter(Boolean).map(({ id }) => id));
  if (ids('functionCall') !== ids('functionResponse')) throw new Error(`${where} has calls ${ids('functionCall')}, answers ${ids('functionResponse')}`);
}
