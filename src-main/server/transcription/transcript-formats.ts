import type { SaidPart, Transcript } from './transcription-door.ts';

/** As OpenAI's API calls them. */
export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

const MIMES: Record<TranscriptFormat, string> = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  srt: 'text/plain; charset=utf-8',
  vtt: 'text/plain; charset=utf-8',
  verbose_json: 'application/json',
};

/** A transcript as it was asked for: https://platform.openai.com/docs/api-reference/audio/createTranscription. @param language as it is known; empty where it is not */
export function writtenAs(
  format: TranscriptFormat,
  { seconds, parts }: Transcript,
  language: string,
): { type: string; body: string } {
  return { type: MIMES[format], body: BODIES[format]({ seconds, parts }, language) };
}

const BODIES: Record<TranscriptFormat, (transcript: Transcript, language: string) => string> = {
  json: (transcript) => JSON.stringify({ text: textOf(transcript), usage: usageOf(transcript) }),
  text: (transcript) => `${textOf(transcript)}\n`,
  srt: ({ parts }) => parts.map((part, at) => `${at + 1}\n${cue(part, ',')}\n`).join('\n'),
  vtt: ({ parts }) => `WEBVTT\n\n${parts.map((part) => `${cue(part, '.')}\n`).join('\n')}`,
  verbose_json: (transcript, language) =>
    JSON.stringify({
      ...{ task: 'transcribe', language, duration: transcript.seconds, text: textOf(transcript) },
      segments: transcript.parts.map(({ from, to, words }, id) => ({ id, start: from, end: to, text: words })),
      usage: usageOf(transcript),
    }),
};

const textOf = ({ parts }: Pick<Transcript, 'parts'>): string => parts.map(({ words }) => words).join(' ');

const usageOf = ({ seconds }: Transcript) => ({ type: 'duration', seconds: Math.ceil(seconds) });

/** An empty line would end it. */
function cue({ from, to, words }: SaidPart, point: ',' | '.'): string {
  return `${timeText(from, point)} --> ${timeText(to, point)}\n${words.replaceAll(/\s+/gu, ' ')}`;
}

/** `01:02:03,456`, of less than a day. */
function timeText(seconds: number, point: ',' | '.'): string {
  return new Date(Math.round(1_000 * seconds)).toISOString().slice(11, 23).replace('.', point);
}
