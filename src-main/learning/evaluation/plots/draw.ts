import { basename } from 'node:path';
import type { EvalRecord, StepRecord } from '../harness/records.ts';
import { ResultsFolder } from '../harness/results-folder.ts';
import { plotsOf } from './curves.ts';
import { pngOf } from './png.ts';
import { svgOf } from './svg.ts';

/** Draws the plots of a preference beside its results, each as SVG and PNG. @param folder named as the preference */
export async function drawPlots(folder: string, baseline: EvalRecord, steps: readonly StepRecord[]): Promise<void> {
  const results = new ResultsFolder(folder);
  for (const plot of plotsOf(basename(folder), baseline, steps)) {
    const svg = svgOf(plot);
    await results.writeText(`${plot.name}.svg`, svg);
    await results.writeText(`${plot.name}.png`, await pngOf(svg));
  }
}
