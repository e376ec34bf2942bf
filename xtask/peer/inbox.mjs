// Asks the original what it makes of our patches in its inbox: whether it
// takes them for valid, what it lists, and what is there once it applied them.

import * as fs from 'node:fs';
import * as path from 'node:path';

export async function importInbox(from61) {
  return {
    ...(await from61('commands/memory.js')),
    ...(await from61('services/memoryPatchUtils.js')),
  };
}

// What we write stands in a file that our own tests make. One more comes from
// elsewhere: a note of which the index does not know.
export function inboxCases(file) {
  const memory = '/T/home/.gemini/tmp/app/memory';
  const note = `--- /dev/null\n+++ ${memory}/topic.md\n@@ -0,0 +1,1 @@\n+- The flag is kelp\n`;
  const foreign = {
    name: 'a note beside the index',
    files: [
      { path: `${memory}/.inbox/private/extraction.patch`, text: note },
      { path: `${memory}/MEMORY.md`, text: '# Index\n' },
    ],
    input: { memory },
  };
  return { fixed: [...JSON.parse(fs.readFileSync(file, 'utf8')), foreign] };
}

export async function askInbox({ memory }, v61) {
  const config = { storage: { getProjectMemoryTempDir: () => memory } };
  const patch = path.join(memory, '.inbox', 'private', 'extraction.patch');
  const validation = await v61.validateInboxMemoryPatchFile(config, 'private', patch);
  const listed = await v61.listInboxMemoryPatches(config);
  for (const kind of listed) delete kind.extractedAt;
  const applied = await v61.applyInboxMemoryPatch(config, 'private', 'private');
  const names = fs.readdirSync(memory).filter((name) => name.endsWith('.md'));
  const files = names.sort().map((name) => {
    const full = path.join(memory, name);
    return [full, fs.readFileSync(full, 'utf8')];
  });
  return { validation, listed, applied, files };
}
