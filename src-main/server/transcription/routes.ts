import type { FastifyInstance } from 'fastify';
import { ApiError } from '../failures/api-error.ts';
import type { RunningRequests } from '../openai/running-requests.ts';
import { unknownModel } from '../openai/serving.ts';
import { writtenAs } from './transcript-formats.ts';
import type { TranscriptionDoor } from './transcription-door.ts';
import { transcriptionForm } from './transcription-form.ts';

const PATH = '/v1/audio/transcriptions';
/** As OpenAI has it. */
export const MOST_SOUND_BYTES = 25 * 2 ** 20;
/** Of the parts of a form around its file. */
const FORM_BYTES = 2 ** 16;
/** Each body is in memory until it is written down. */
const MOST_AT_ONCE = 4;
/** What programs ask for that were written for OpenAI: whichever model there is. */
const USUAL_NAME = 'whisper-1';

/** Speech as text, as OpenAI's clients ask for it. */
export async function addTranscriptionRoute(
  app: FastifyInstance,
  { running, door }: { running: RunningRequests; door: TranscriptionDoor },
): Promise<void> {
  let atOnce = 0;
  await app.register(async (scope) => {
    const bodyLimit = MOST_SOUND_BYTES + FORM_BYTES;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    scope.addContentTypeParser('*', (_request, _body, done) => done(noFormSent()));
    // Before the body is read.
    scope.addHook('onRequest', async (_request, reply) => {
      if (atOnce >= MOST_AT_ONCE) throw tooMany();
      atOnce++;
      reply.raw.once('close', () => atOnce--);
    });
    scope.post(PATH, { bodyLimit }, (request, reply) =>
      running.run(request, reply, async (call) => {
        const { model, language, format, file } = await transcriptionForm(
          request.body,
          request.headers['content-type'],
        );
        const known = knownModel(door, model);
        call.model = known.name;
        if (language && known.language && language !== known.language) throw otherLanguage(known, language);
        const transcript = await door.transcribe(file, call.signal);
        const { type, body } = writtenAs(format, transcript, known.language || (language ?? ''));
        return reply.type(type).send(body);
      }),
    );
  });
}

function knownModel(door: TranscriptionDoor, wanted: string): { name: string; language: string } {
  const known = door.model();
  if (!known) throw noModel();
  if (wanted !== USUAL_NAME && wanted !== known.name) throw unknownModel(wanted);
  return known;
}

const noModel = () =>
  new ApiError(404, {
    message: `${PATH} is not served: no model here turns speech into text. Fetch one: quarry data models fetch whisper-tiny`,
    code: 'unknown_url',
  });

/** Every other endpoint wants JSON, and says so. */
const noFormSent = () =>
  new ApiError(415, {
    message: 'Send a form, with the header content-type: multipart/form-data',
    code: 'unsupported_media_type',
  });

const otherLanguage = ({ name, language }: { name: string; language: string }, wanted: string) =>
  new ApiError(400, { message: `«${name}» knows «${language}» alone, not «${wanted}».`, param: 'language' });

const tooMany = () =>
  new ApiError(429, {
    message: 'Other sounds are being written down: ask again in a moment.',
    type: 'rate_limit_error',
    code: 'rate_limit_exceeded',
    retryAfterSeconds: 5,
  });
