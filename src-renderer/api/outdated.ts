import { create } from 'zustand';

/** Whether the node was updated while this page still has the screens of before. */
export const useOutdated = create<boolean>(() => false);
