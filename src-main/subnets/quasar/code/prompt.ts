import type { Steps } from '../../../base/steps.ts';
import { BANDS, type BandName } from './bands.ts';
import type { Files, Json, Project } from './topics/code-base.ts';

/** All files of a code base, one below the other. */
export function* contextText(files: Files): Steps<string> {
  const pieces = ['These are all files of a code base in Python. Read them, then the task at the end.\n'];
  for (const [path, text] of Object.entries(files)) {
    pieces.push(`=== ${path} ===\n${text}`);
    yield;
  }
  return pieces.join('\n');
}

export interface Question {
  entry: string;
  project: Pick<Project, 'question'>;
  /** Of the code base that is shown. */
  example: Readonly<Record<string, Json>>;
  band: BandName;
}

/** What stands below the code base. */
export const questionText = ({ entry, project, example, band }: Question): string => `=== end of the code base ===

Task: write a program in Python 3 that defines the function ${entry}(files, parameters).

${project.question}

The conventions stand in docstrings of modules of this code base, each as a paragraph that begins with "Convention of this project:". What is "no longer a convention" does not count.

"files" is a dict from path to text, with all files of the code base. "parameters" is a dict such as ${JSON.stringify(example)}.

The function is called for this code base, and for others that follow the same conventions but have other modules and names; they are about as long. So an answer to the example is no solution. All calls together have ${BANDS[band].time.programMs / 1_000} seconds, each half of that at the most.

Rules:
- Only ${entry} is called, with files and parameters, and what it returns is compared as JSON: numbers, texts, lists (in the order that is asked for), objects with texts as keys, true, false and null; 2.0 is 2, and a tuple is a list.
- What it prints is not looked at.
- It uses Python's own library only; no files, no network.
- Give it in one block that begins with \`\`\`python.`;
