/** What the double of Electron (in the app's process) and the driver (in the test's, beside a real Chromium) tell each other. */

export interface MenuEntry {
  id?: string;
  label: string;
  enabled: boolean;
}

export interface TrayView {
  image: string;
  toolTip: string;
  menu: MenuEntry[];
}

export interface Shown {
  title: string;
  body: string;
}

export interface DialogView {
  message: string;
  detail: string;
  buttons: string[];
}

export type FromApp =
  | { type: 'open-window'; window: number; width: number; height: number; preload: string }
  | { type: 'load'; window: number; url: string }
  | { type: 'show-window'; window: number }
  | { type: 'close-window'; window: number }
  | { type: 'response'; request: number; status: number; headers: Record<string, string>; body: string }
  | { type: 'port-message'; port: string; data: string }
  | { type: 'port-close'; port: string }
  | { type: 'tray'; tray: TrayView | undefined }
  | { type: 'notification'; notification: number; shown: Shown }
  | { type: 'dialog'; dialog: number; view: DialogView }
  | { type: 'open-external'; url: string }
  | { type: 'delay-shutdown' };

export type FromDriver =
  | { type: 'request'; request: number; url: string; method: string; headers: Record<string, string>; body?: string }
  | { type: 'loaded'; window: number }
  | { type: 'window-closed'; window: number }
  | { type: 'open-url'; window: number; url: string }
  | { type: 'ipc'; window: number; channel: string; origin: string; ports: string[] }
  | { type: 'port-message'; port: string; data: string }
  | { type: 'port-close'; port: string }
  | { type: 'click-tray'; id?: string }
  | { type: 'click-notification'; notification: number }
  | { type: 'answer'; dialog: number; response: number }
  | { type: 'second-instance'; argv: string[] }
  | { type: 'power'; event: string; idleSeconds?: number }
  | { type: 'press'; keys: string }
  | { type: 'windows'; titles: string[] }
  | { type: 'quit' };
