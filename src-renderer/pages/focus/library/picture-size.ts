import { create } from 'zustand';
import type { Recording } from '../../../../src-preload/contract/focus.ts';

/** Pixels. */
type PictureSize = Pick<Recording, 'width' | 'height'>;

/** By the ids of recordings whose videos were opened. */
const useSizes = create<Record<string, PictureSize>>(() => ({}));

/** Keeps how large the picture of a recording is in its video. */
export function tellPictureSize(id: string, { videoWidth: width, videoHeight: height }: HTMLVideoElement): void {
  useSizes.setState({ [id]: { width, height } });
}

/** How large its picture is: as its video has it, once that was opened; until then as the browser told it when the recording began, which may be off. */
export function usePictureSize({ id, width, height }: Recording): PictureSize {
  return useSizes((sizes) => sizes[id]) ?? { width, height };
}
