import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFile, syncFolder } from '../../base/atomic-file.ts';
import { makeWhole } from '../../base/atomic-folder.ts';
import { Slices } from '../../base/slices.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { ADAPTER_GGUF, OPTIMIZER } from '../formats/adapter-files.ts';
import type { BaseShape } from '../formats/base-shape.ts';
import { writeAdapterGguf } from '../formats/gguf-adapter.ts';
import { readPeft, writePeft } from '../formats/peft-adapter.ts';
import { newState, type SavedAdapter } from './adapter/adam-w.ts';
import { readOptimizer, writeOptimizer } from './adapter/optimizer-file.ts';

/** Numbers that are changed in one go. */
const AT_ONCE = 1 << 16;

/**
 * Reads what {@link saveAdapter} wrote, or any adapter of PEFT's: then the optimizer begins anew.
 * @throws ADAPTER_INVALID, UNSUPPORTED
 */
export async function loadAdapter(folder: string, base: BaseShape): Promise<SavedAdapter> {
  const adapter = await readPeft(folder, base);
  const state = await readOptimizer(join(folder, OPTIMIZER), adapter).catch(ifMissing);
  return { adapter, state: state ?? newState(adapter) };
}

/**
 * The same adapter with so much of what it changes: between it and the model without. What a model learns on top costs it some of what it knew; less of the change keeps
 * more of that, and most of what was learnt (https://arxiv.org/abs/2109.01903).
 * @param from see {@link loadAdapter}
 * @param to must not be there
 * @param strength above 0, below 1
 * @param model see {@link saveAdapter}
 */
export async function weakenAdapter(
  from: string,
  to: string,
  { strength, base, model }: { strength: number; base: BaseShape; model: string },
): Promise<void> {
  const { adapter, state } = await loadAdapter(from, base);
  // Not α: it is handed on to what is learnt on top, which would get weaker each time.
  const slices = new Slices();
  for (const { b } of adapter.matrices.values()) {
    for (let from = 0; from < b.length; from += AT_ONCE) {
      const some = b.subarray(from, from + AT_ONCE);
      for (let at = 0; at < some.length; at++) some[at] = strength * (some[at] as number);
      if (slices.isOver) await slices.next();
    }
  }
  await makeWhole(to, (folder) => saveAdapter(folder, { adapter, state }, base, model));
}

/**
 * Writes an adapter for llama.cpp and for PEFT, and the optimizer's state, all of it on the disk when this returns.
 * @param folder is made
 * @param model what PEFT's files call the base
 */
export async function saveAdapter(folder: string, { adapter, state }: SavedAdapter, base: BaseShape, model: string) {
  await mkdir(folder);
  await writeAdapterGguf(join(folder, ADAPTER_GGUF), adapter, base);
  await syncFile(join(folder, ADAPTER_GGUF));
  await writePeft(folder, adapter, model);
  await writeOptimizer(join(folder, OPTIMIZER), state);
  await syncFolder(folder);
}
