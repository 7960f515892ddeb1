/** A model file that is to be had, from wherever it can be had. */
export interface WantedModel {
  /** Its name in the library. */
  name: string;
  /** Web addresses of the very same file, the preferred one first; empty when only peers have it. */
  urls: string[];
  /** Length of the file, where known. */
  bytes?: number;
  /** 64 hex, where known. */
  sha256?: string;
  /** Whatever the first complete download has is what the name stands for from then on: of a catalogue’s name only. */
  pin?: boolean;
  /** SPDX identifier, or a name such as `gemma`. */
  licence?: string;
}
