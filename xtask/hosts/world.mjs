// The home and the project that every host finds: memory in every layer, one
// line each, in words that occur nowhere else.

import * as path from 'node:path';

export const FACT = 'The heron likes its tea without sugar.';
export const FINAL = 'The heron is served.';
/** Asks for what `matching` memory tells, and for the fact to be saved. */
export const PROMPT = 'Remember how the heron likes its tea. And how do I deploy the turnip service?';

/** One line of memory a layer. */
export const MEMORY = {
  global: 'Greetings contain the word marmalade.',
  project: 'The build tool is called quillwork.',
  private: 'The staging machine is called bramblewick.',
  matching: 'To deploy the turnip service, pass the flag kelp.',
  nearby: 'Lengths in this directory are in furlongs.',
};

const SLUG = 'project';

/** Memory, registered and trusted as Gemini CLI does it. */
export function memoryFiles({ home, project }) {
  const inHome = (name) => path.join(home, '.gemini', name);
  const inFolder = (name) => inHome(path.join('tmp', SLUG, name));
  return {
    // The person knows that nobody will be there to be asked.
    [inHome('analects.json')]: { memory: { consent: 'auto' } },
    [inHome('GEMINI.md')]: `# Global\n\n- ${MEMORY.global}\n`,
    [inHome('projects.json')]: { projects: { [project]: SLUG } },
    [inHome('trustedFolders.json')]: { [project]: 'TRUST_FOLDER' },
    [inHome(`history/${SLUG}/.project_root`)]: project,
    [inFolder('.project_root')]: project,
    [inFolder('memory/MEMORY.md')]: `# Private\n\n- ${MEMORY.private}\n- Deploying: [deploying.md](deploying.md)\n`,
    [inFolder('memory/deploying.md')]: `# Deploying\n\n- ${MEMORY.matching}\n`,
    [path.join(project, 'GEMINI.md')]: `# Project\n\n- ${MEMORY.project}\n`,
    [path.join(project, 'units/lengths/GEMINI.md')]: `- ${MEMORY.nearby}\n`,
    [path.join(project, 'units/lengths/notes.txt')]: 'The pond is long.\n',
  };
}

/** What the model does: saves the fact, reads a file further down, says goodbye. */
export function script({ project }) {
  return [
    { call: 'save_memory', args: { fact: FACT } },
    { read: path.join(project, 'units/lengths/notes.txt') },
    { text: FINAL },
  ];
}
