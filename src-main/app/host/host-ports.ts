import type { DesktopState, Update } from '../../../src-preload/contract/desktop.ts';
import type { PolicySources } from '../../hardware/policy-sources.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { SecretVault } from '../../settings/secret-vault.ts';

/** What the desktop app can do beyond a node: the part of the contract's `desktop` that needs a window. */
export interface DesktopPort {
  state(): Promise<DesktopState>;
  setStartOnLogin(on: boolean): Promise<void>;
  /** The system's own dialogs; null when closed without a choice. */
  pickModelFile(): Promise<string | null>;
  pickFolder(): Promise<string | null>;
  /** Shows a folder in the system's file manager. The path is one of Quarry's own, never one that a page named. */
  openFolder(path: string): Promise<void>;
  checkForUpdate(): Promise<Update>;
  /** @throws BAD_REQUEST while no update is ready */
  installUpdate(): Promise<void>;
}

/** Power and people, as the desktop sees them: in place of what plain Node can see. */
export interface PowerSource extends Pick<PolicySources, 'battery' | 'userIdleSeconds'> {
  /** Calls back when power, lock or sleep change, so that the load policy looks at once. @returns what ends that */
  subscribe(listener: () => void): () => void;
}

/** A screen or a window that can be recorded. */
export interface CaptureSource {
  id: string;
  /** The title of a window. */
  name: string;
  kind: 'screen' | 'window';
  /** What it looks like, small: the address of an image that holds it. Empty where the system shows none. */
  picture: string;
}

/** What can be recorded in the app's own window, where no browser asks. */
export interface CapturePort {
  /** What there is now. Some systems ask a person first. */
  sources(): Promise<CaptureSource[]>;
  /** What the page gets when it asks within the next seconds; once. @throws BAD_REQUEST for what was not among the last sources */
  choose(id: string): void;
  /** Titles of the windows that are open; null where the system does not tell without asking a person. */
  titles(): Promise<string[] | null>;
}

/** A key that is heard in every program. */
export interface ShortcutPort {
  /** Calls back whenever it is pressed. @returns what ends that */
  hold(pressed: () => void): () => void;
}

/** That the spawner opens pages with WebGPU (`Launch.gpuPage`). */
export interface GpuPages {
  /** Whether WebGPU that computes on the processor counts: for tests. */
  acceptsSoftware: boolean;
}

/** Abilities of whatever Quarry runs in. Plain Node has something of its own for each that is absent. */
export interface HostPorts {
  spawner?: ProcessSpawner;
  gpuPages?: GpuPages;
  secrets?: SecretVault;
  power?: PowerSource;
  desktop?: DesktopPort;
  capture?: CapturePort;
  /** For recordings: what came last is not to be kept. */
  panic?: ShortcutPort;
}
