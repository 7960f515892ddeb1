import { create } from 'zustand';

/** What somebody chose elsewhere, for the page that is opened next to show; taken once. */
const useWanted = create<{ model: string | undefined; setting: string | undefined }>(() => ({
  model: undefined,
  setting: undefined,
}));

export function wantModel(name: string): void {
  useWanted.setState({ model: name });
}

export function wantSetting(path: string): void {
  useWanted.setState({ setting: path });
}

/** Calls back with a model whenever one is wanted, at once if one is; that one is then forgotten. @returns what ends that */
export function onWantedModel(take: (name: string) => void): () => void {
  return onWanted('model', take);
}

/** The same for a setting, by its path. */
export function onWantedSetting(take: (path: string) => void): () => void {
  return onWanted('setting', take);
}

function onWanted(what: 'model' | 'setting', take: (name: string) => void): () => void {
  const look = () => {
    const wanted = useWanted.getState()[what];
    if (wanted === undefined) return;
    useWanted.setState({ [what]: undefined });
    take(wanted);
  };
  look();
  return useWanted.subscribe(look);
}
