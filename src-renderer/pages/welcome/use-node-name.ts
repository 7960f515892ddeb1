import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useNode } from '../../state/node.ts';
import { useSetSettings } from '../../state/settings.ts';

/** The name of this computer, to be edited. */
export function useNodeName() {
  const { data } = useAnswer(api.settings.list.queryOptions());
  const setting = data?.settings.find(({ path }) => path === 'nodeName');
  const shown = useNode(({ status }) => status?.name) ?? '';
  const [edited, setEdited] = useState<string>();
  const set = useSetSettings();
  return {
    value: edited ?? shown,
    change: setEdited,
    /** Given by the environment or the command line: it cannot be changed here. */
    held: setting?.origin === 'environment' || setting?.origin === 'command line',
    error: set.error,
    isSaving: set.isPending,
    /** Writes the name down if it was changed (an empty one means the host name), then goes on. */
    save(onSaved: () => void) {
      const wanted = edited?.trim();
      if (wanted === undefined || wanted === shown) return onSaved();
      set.mutate({ changes: { nodeName: wanted || null } }, { onSuccess: onSaved });
    },
  };
}
