import { create } from 'zustand';

/** What can be begun from the palette, on the page that has it. */
export type WantedAction =
  | 'backUp'
  | 'restore'
  | 'addNode'
  | 'joinNode'
  | 'importFile'
  | 'addByAddress'
  | 'verifyLedger'
  | 'newConversation'
  | 'askMesh'
  | 'sendTao'
  | 'receiveTao'
  | 'createKey'
  | 'bringKey'
  | 'verifyText'
  | 'addMiner';

interface Wanted {
  model: string;
  search: string;
  setting: string;
  section: string;
  offer: string;
  recording: string;
  run: string;
  action: WantedAction;
}

/** What somebody chose elsewhere, for the page that is opened next to show; taken once. */
const useWanted = create<Partial<Wanted>>(() => ({}));

export function wantModel(name: string): void {
  useWanted.setState({ model: name });
}

/** @param words to search the hub for */
export function wantSearch(words: string): void {
  useWanted.setState({ search: words });
}

export function wantSetting(path: string): void {
  useWanted.setState({ setting: path });
}

/** @param title of the section that is to be scrolled to, as it is shown */
export function wantSection(title: string): void {
  useWanted.setState({ section: title });
}

/** @param recording id of one that is to be offered on a market */
export function wantOffer(recording: string): void {
  useWanted.setState({ offer: recording });
}

/** @param recording id of one that is to be shown in the library */
export function wantRecording(recording: string): void {
  useWanted.setState({ recording });
}

/** @param run id of a run of learning that is to be shown in their history */
export function wantRun(run: string): void {
  useWanted.setState({ run });
}

export function wantAction(action: WantedAction): void {
  useWanted.setState({ action });
}

/** Calls back with a model whenever one is wanted, at once if one is; that one is then forgotten. @returns what ends that */
export function onWantedModel(take: (name: string) => void): () => void {
  return onWanted('model', take);
}

/** The same for words to search the hub for. */
export function onWantedSearch(take: (words: string) => void): () => void {
  return onWanted('search', take);
}

/** The same for a setting, by its path. */
export function onWantedSetting(take: (path: string) => void): () => void {
  return onWanted('setting', take);
}

/** The same for a recording that is to be offered, by its id. */
export function onWantedOffer(take: (recording: string) => void): () => void {
  return onWanted('offer', take);
}

/** The same for one that is to be shown. */
export function onWantedRecording(take: (recording: string) => void): () => void {
  return onWanted('recording', take);
}

/** The same for a run of learning. */
export function onWantedRun(take: (run: string) => void): () => void {
  return onWanted('run', take);
}

/** Calls back when this section is wanted, by the title that it shows. */
export function onWantedSection(title: string, take: () => void): () => void {
  return onWanted('section', take, title);
}

/** Calls back when this action is wanted, at once if it is. */
export function onWantedAction(action: WantedAction, take: () => void): () => void {
  return onWanted('action', take, action);
}

/** @param only what else is wanted is left for others */
function onWanted<What extends keyof Wanted>(
  what: What,
  take: (wanted: Wanted[What]) => void,
  only?: Wanted[What],
): () => void {
  const look = () => {
    const wanted = useWanted.getState()[what];
    if (wanted === undefined || (only !== undefined && wanted !== only)) return;
    useWanted.setState({ [what]: undefined });
    take(wanted);
  };
  look();
  return useWanted.subscribe(look);
}
