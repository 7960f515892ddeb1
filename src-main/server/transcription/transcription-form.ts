import { MIMEType } from 'node:util';
import { z } from 'zod';
import { ApiError } from '../failures/api-error.ts';
import { parseBody } from '../openai/fields.ts';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from './transcript-formats.ts';

/** What is asked for, and the file's bytes. Other fields of OpenAI's (`prompt`, `temperature`, `stream`) are hints that no model here takes, and are passed over as with `whisper-1`. */
export interface TranscriptionForm {
  model: string;
  language: string | undefined;
  format: TranscriptFormat;
  file: Uint8Array;
}

/** Parts of a form, and bytes of what each says of itself. Reading a form of a hundred thousand parts would keep all others waiting for seconds. */
const MOST_PARTS = 32;
const MOST_HEAD_BYTES = 4_096;

const fieldsSchema = z.object({
  model: z.string().min(1).max(200),
  language: z.string().max(20).optional(),
  response_format: z.enum(TRANSCRIPT_FORMATS).default('json'),
  timestamp_granularities: z.array(z.enum(['segment'])).max(2),
});

/** @throws ApiError 400 for what is no form, or asks for what there is not */
export async function transcriptionForm(body: unknown, contentType: string | undefined): Promise<TranscriptionForm> {
  const form = await formOf(body, contentType);
  const file = form.get('file');
  if (!(file instanceof Blob))
    throw new ApiError(400, { message: 'The field «file» has to be a file.', param: 'file' });
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const fields = parseBody(fieldsSchema, {
    ...{ model: text('model'), language: text('language'), response_format: text('response_format') },
    timestamp_granularities: form.getAll('timestamp_granularities[]'),
  });
  const { model, language, response_format: format } = fields;
  return { model, language, format, file: await file.bytes() };
}

async function formOf(body: unknown, contentType: string | undefined): Promise<FormData> {
  if (!Buffer.isBuffer(body) || !contentType) throw noForm();
  if (!isQuicklyRead(body, boundaryOf(contentType))) throw tooManyParts();
  return await new Response(body as Buffer<ArrayBuffer>, { headers: { 'content-type': contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw noForm(cause);
    });
}

/** As the form's reader finds it. */
function boundaryOf(contentType: string): string {
  try {
    return new MIMEType(contentType).params.get('boundary') ?? '';
  } catch (cause) {
    throw noForm(cause);
  }
}

function isQuicklyRead(body: Buffer, boundary: string): boolean {
  const mark = `--${boundary}`;
  let parts = 0;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (++parts > MOST_PARTS) return false;
    const head = body.subarray(at + mark.length, at + mark.length + MOST_HEAD_BYTES);
    const isCut = head.length === MOST_HEAD_BYTES;
    if (isCut && !head.includes('\r\n\r\n')) return false;
  }
  return true;
}

const tooManyParts = () =>
  new ApiError(400, { message: 'The form has more parts than fields are known, or one that says too much of itself.' });

const noForm = (cause?: unknown) =>
  new ApiError(400, { message: 'The body has to be a form (multipart/form-data) with «file» and «model».' }, cause);
