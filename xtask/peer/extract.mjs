// Runs `analects skill extract` in a home of its own and asks Gemini CLI's own
// functions what they make of it: the ledger, the list of sessions, the inbox
// and the lock, both ways round.
//
//   node extract.mjs <package dir> <binary> <scratch dir>

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

const [packages, binary, scratch] = process.argv.slice(2);
const source = path.join(packages, 'node_modules/@google/gemini-cli-core/dist/src');
const load = (file) => import(pathToFileURL(path.join(source, file)).href);
const theirs = { ...(await load('services/memoryService.js')), ...(await load('commands/memory.js')) };

fs.rmSync(scratch, { recursive: true, force: true });
const home = path.join(scratch, 'home');
const repo = path.join(scratch, 'repo');
const temp = path.join(home, '.gemini/tmp/repo');
const memory = path.join(temp, 'memory');
const chats = path.join(temp, 'chats');
const statePath = path.join(memory, '.extraction-state.json');
const lockPath = path.join(memory, '.extraction.lock');
for (const dir of [path.join(repo, '.git'), chats]) fs.mkdirSync(dir, { recursive: true });
const projects = { projects: { [fs.realpathSync(repo)]: 'repo' } };
fs.writeFileSync(path.join(home, '.gemini/projects.json'), JSON.stringify(projects));
fs.writeFileSync(path.join(temp, '.project_root'), fs.realpathSync(repo));

// Sessions in which one release was cut again and again, and a few that say little.
const HOUR = 3_600_000;
const STEPS = ['quillon bump --next', 'quillon seal dist/notes.txt', 'quillon push --signed', 'quillon verify'];
function session(n, prompts, hoursAgo) {
  const at = new Date(Date.now() - hoursAgo * HOUR).toISOString();
  const id = `0000000${n}-0000-4000-8000-00000000000${n}`;
  const lines = [{ sessionId: id, projectHash: '0', startTime: at, lastUpdated: at, kind: 'main' }];
  for (let i = 0; i < prompts; i++) {
    const text = i === 0 ? 'Cut the release with quillon.' : `Go on with part ${i}.`;
    lines.push({ id: `u${i}`, timestamp: at, type: 'user', content: [{ text }] });
    const command = STEPS[i];
    const call = command && {
      id: `c${i}`, name: 'run_shell_command', args: { command }, status: 'success', timestamp: at,
      result: [{ functionResponse: { id: `c${i}`, name: 'run_shell_command', response: { output: 'Exit Code: 0' } } }],
    };
    lines.push({ id: `g${i}`, timestamp: at, type: 'gemini', content: command ? '' : 'Done.', ...(call && { toolCalls: [call] }) });
  }
  lines.push({ $set: { summary: `Cut release ${n}`, lastUpdated: at } });
  const name = `session-2026-01-0${n}T00-00-0000000${n}.jsonl`;
  fs.writeFileSync(path.join(chats, name), lines.map((line) => JSON.stringify(line) + '\n').join(''));
}
for (let n = 1; n <= 5; n++) session(n, 12, 5 + n);
session(6, 4, 12);
session(7, 12, 1);

const env = { HOME: home, PATH: process.env.PATH, GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/none', GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/none' };
const words = ['--trust', '--json', 'skill', 'extract'];
const analects = (...more) => JSON.parse(execFileSync(binary, [...words, ...more], { cwd: repo, env, encoding: 'utf8' }));
const config = {
  storage: {
    getProjectMemoryTempDir: () => memory,
    getProjectSkillsMemoryDir: () => path.join(memory, 'skills'),
    getProjectTempDir: () => temp,
  },
};

// Both list the same sessions, in the same order, with the same counts.
const planned = analects('--dry-run');
assert.equal(planned.status, 'planned');
const listed = await theirs.buildSessionIndex(fs.realpathSync(chats), { runs: [] });
const lines = planned.indexed.map((it) => `[${it.isNew ? 'NEW' : 'old'}] ${it.title} (${it.prompts} user msgs)`);
const withoutTools = listed.sessionIndex.split('\n').map((line) => line.replace(/( \| workflow: .*)? \((\d+) user msgs\) — .*/, ' ($2 user msgs)'));
assert.deepEqual(lines, withoutTools);
assert.equal(lines.length, 5);

// What waits in our inbox waits in theirs, dated by the run that made it.
const done = analects();
assert.equal(done.status, 'done');
assert.equal(done.skills.length, 1, JSON.stringify(done));
const state = await theirs.readExtractionState(statePath);
assert.equal(state.runs.length, 1);
assert.deepEqual(state.runs[0].skillsCreated, done.skills);
assert.equal(state.runs[0].terminateReason, 'LOCAL');
const waiting = await theirs.listInboxSkills(config);
assert.deepEqual(waiting.map((it) => it.dirName), done.skills);
assert.equal(waiting[0].extractedAt, state.runs[0].runAt);
assert.ok(waiting[0].description.length > 0 && waiting[0].content.includes('quillon'));

// What was read without a model is new to theirs; once it rewrote the ledger, ours still knows.
const after = await theirs.buildSessionIndex(fs.realpathSync(chats), state);
assert.equal(after.newSessionIds.length, 5);
await theirs.writeExtractionState(statePath, state);
assert.equal(analects().status, 'nothing-new');

// What a model of theirs read is old to a model of ours.
const processed = after.candidateSessions.slice(0, 2).map(({ sessionId, lastUpdated }) => ({ sessionId, lastUpdated }));
state.runs.push({
  runAt: new Date().toISOString(), sessionIds: processed.map((it) => it.sessionId), skillsCreated: [],
  candidateSessions: processed, processedSessions: processed, terminateReason: 'GOAL',
});
await theirs.writeExtractionState(statePath, state);
const rest = analects('--dry-run', '--model');
assert.deepEqual(rest.indexed.map((it) => it.isNew), [true, true, true, false, false]);

// While they hold the lock, we stay away.
assert.equal(await theirs.tryAcquireLock(lockPath), true);
const busy = analects('--all');
assert.equal(busy.status, 'busy');
assert.ok(busy.why.includes(String(process.pid)), busy.why);
await theirs.releaseLock(lockPath);

// While we hold it, they stay away: a model keeps us waiting. Once we are killed, they take over.
let asked;
const isAsked = new Promise((resolve) => (asked = resolve));
const server = http.createServer((request) => {
  request.resume();
  if (request.method === 'POST') asked();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const model = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}/v1` };
const child = spawn(binary, [...words, '--all', '--model'], { cwd: repo, env: { ...env, ...model }, stdio: 'inherit' });
const ended = new Promise((resolve) => child.on('exit', resolve));
await Promise.race([isAsked, ended.then((code) => assert.fail(`it ended with ${code} and asked nobody`))]);
assert.equal(await theirs.isLockStale(lockPath), false);
assert.equal(await theirs.tryAcquireLock(lockPath), false);
child.kill('SIGKILL');
await ended;
assert.equal(await theirs.tryAcquireLock(lockPath), true);
await theirs.releaseLock(lockPath);
const killed = await theirs.readExtractionState(statePath);
assert.equal(killed.runs.at(-1).terminateReason, 'UNFINISHED');
server.closeAllConnections();
server.close();

console.log(`Gemini CLI's own functions and ours agree on ${lines.length} sessions, their ledger, inbox and lock`);
