import { QuarryError, type QuarryErrorData } from '../../../../../src-preload/contract/errors.ts';
import { errorView } from '../../../../base/error-view.ts';

/** What {@link errorText} has kept; null for none. */
export const keptError = (json: string | null) =>
  json === null ? null : errorView(new QuarryError(JSON.parse(json) as QuarryErrorData));

/** To be kept beside what it stopped. */
export const errorText = (error: unknown): string => JSON.stringify(QuarryError.from(error).toJSON());
