import LibAV from '@libav.js/variant-webm-vp9';

/** libvpx behind FFmpeg’s interface, as WebAssembly in this thread. Its memory is read through `HEAPU8`, anew each time: it is another one after it grew. */
export type Codecs = LibAV.LibAV & LibAV.LibAVSync & { readonly HEAPU8: Uint8Array };

let opened: Promise<Codecs> | undefined;

/** Loads it once; its memory is free again when the process ends. @throws what the system says of a file of it that is not there */
export function openCodecs(): Promise<Codecs> {
  opened ??= load();
  return opened;
}

async function load(): Promise<Codecs> {
  const codecs = (await LibAV.LibAV({ noworker: true, nothreads: true })) as Codecs;
  codecs.av_log_set_level_sync(codecs.AV_LOG_QUIET); // what matters comes as an error
  return codecs;
}
