import type { AttachedFile } from '../../../../src-preload/contract/conversations.ts';
import { client } from '../../../api/client.ts';
import { piecesOf } from './attach.ts';

/** Gives long files to the node, piece by piece. @returns their numbers */
export async function upload(id: string, files: readonly AttachedFile[], signal: AbortSignal): Promise<number[]> {
  const numbers: number[] = [];
  for (const { name, text } of files) {
    let to: number | undefined;
    for (const piece of piecesOf(text)) {
      to = (await client.conversations.addFile({ id, name, text: piece, ...(to && { to }) }, { signal })).long;
    }
    if (to !== undefined) numbers.push(to);
  }
  return numbers;
}
