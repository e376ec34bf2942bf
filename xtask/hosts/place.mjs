// A home and a project of its own for a host, and a process group in which it
// runs.

import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const SETUP_LIMIT_MS = 30_000;
const HOST_LIMIT_MS = 120_000;

/** Makes the directories of one run. */
export function makePlace(dir) {
  const place = { home: path.join(dir, 'home'), project: path.join(dir, 'project'), tmp: path.join(dir, 'tmp') };
  for (const made of Object.values(place)) fs.mkdirSync(made, { recursive: true });
  // Analects keeps its own state here; the directory itself is no sign of a change.
  fs.mkdirSync(path.join(place.home, '.gemini'), { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: place.project, timeout: SETUP_LIMIT_MS });
  return place;
}

/** Nothing of the person who runs this: no keys, no settings, no other home. */
export function bareEnvironment({ home, tmp }) {
  return { PATH: process.env.PATH, HOME: home, TMPDIR: tmp, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
}

export function environment(host, place, port) {
  const refusing = `http://127.0.0.1:${port}`;
  const proxies = { HTTP_PROXY: refusing, HTTPS_PROXY: refusing, NO_PROXY: '127.0.0.1,localhost' };
  return { ...bareEnvironment(place), ...proxies, ...host.env({ port }) };
}

/** Runs a host in a process group of its own, so that nothing it started outlives it. */
export async function start([program, ...args], { cwd, env, dir, limitMs = HOST_LIMIT_MS }) {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const heard = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].on('data', (chunk) => (heard[stream] += chunk));
  const killGroup = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  };
  const closed = new Promise((resolve) => child.once('close', resolve));
  const timer = setTimeout(killGroup, limitMs);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => resolve(status ?? signal));
  });
  clearTimeout(timer);
  killGroup();
  // Who left the group could still hold the pipes; what it says there is of no interest.
  await Promise.race([closed, sleep(2_000, null, { ref: false })]);
  for (const stream of ['stdout', 'stderr']) fs.writeFileSync(path.join(dir, stream), heard[stream]);
  return { code, ...heard };
}

/** The requests of the conversation, without those on the side. */
export function turnsOf(record) {
  const lines = fs.readFileSync(record, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'turn');
}
