import { readFileSync } from 'node:fs';

const read = (name: string) => readFileSync(new URL(`code-solutions/${name}.py`, import.meta.url), 'utf8');

/** A program that solves tasks of a topic as somebody else would: by Python’s own means, and by what the docstrings say. @param entry the function that is wanted */
export const codeSolution = (topic: string, entry: string): string =>
  `${read('conventions')}\n${read(topic).replaceAll('ENTRY', entry)}`;
