import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { tellError } from '../../../components/errors/tell-error.ts';
import { saveFile } from '../../../components/saving/save-file.ts';
import { useTitles } from '../../../components/useTitles.ts';
import { fileNameOf, jsonOf, markdownOf } from './export-conversation.ts';

/** Saves a conversation as a file. */
export function useExport(id: string): (as: 'markdown' | 'json') => void {
  const { t } = useTranslation('playground');
  const titleOf = useTitles();
  const { mutate } = useMutation({
    mutationFn: async (as: 'markdown' | 'json') => {
      const held = await client.conversations.get({ id });
      const name = fileNameOf(held.conversation);
      if (as === 'json') saveFile(new Blob([jsonOf(held)], { type: 'application/json' }), `${name}.json`);
      else {
        const text = markdownOf(held, { you: t('you'), answer: t('answer'), titleOf });
        saveFile(new Blob([text], { type: 'text/markdown' }), `${name}.md`);
      }
    },
    onError: (error) => tellError(error),
  });
  return mutate;
}
