import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelTitle } from '../../../src-renderer/i18n/model-title.ts';

interface Entry {
  name: string;
  title: string;
}
const catalogue = resolve(import.meta.dirname, '../../../models/catalogue.json');
const { models } = JSON.parse(readFileSync(catalogue, 'utf8')) as { models: Entry[] };

describe('modelTitle', () => {
  it.each(models.map(({ name, title }) => [name, title]))('calls %s as the catalogue does: %s', (name, title) => {
    expect(modelTitle(name)).toEqual({ title });
  });

  it.each([
    ['qwen2.5-coder-7b-instruct-q4_k_m', 'Qwen2.5 Coder 7B', 'Q4_K_M'],
    ['Llama-3.2-3B-Instruct-IQ4_XS.gguf', 'Llama 3.2 3B', 'IQ4_XS'],
    ['gemma-3-4b-it-Q8_0', 'Gemma 3 4B', 'Q8_0'],
    ['mixtral-8x7b-instruct-v0.1.q5_k_m', 'Mixtral 8x7B v0.1', 'Q5_K_M'],
    ['gpt-oss-20b-mxfp4', 'GPT-OSS 20B', 'MXFP4'],
    ['model-f16', 'Model', 'F16'],
  ])('reads %s as %s in %s', (name, title, quantisation) => {
    expect(modelTitle(name)).toEqual({ title, quantisation });
  });

  it.each([
    ['tiny', 'Tiny'],
    ['MyFineTune', 'MyFineTune'],
    ['instruct', 'Instruct'],
    ['---', '---'],
    ['constructor', 'Constructor'],
    ['', ''],
  ])('makes the best of %s', (name, title) => expect(modelTitle(name)).toEqual({ title }));
});
