import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';

/** What could be recorded, with the suggestions in the language of the screens. */
export function useTasks() {
  const { i18n } = useTranslation();
  const language = i18n.language.startsWith('de') ? 'de' : 'en';
  return useAnswer(api.focus.tasks.queryOptions({ input: { language } }));
}
