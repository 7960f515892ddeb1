import { create } from 'zustand';
import type { NodeStatus } from '../../src-preload/contract/node.ts';

/** The node's status as it was last told; undefined before the first. The shell keeps it fresh. */
export const useNode = create<{ status: NodeStatus | undefined }>(() => ({ status: undefined }));
