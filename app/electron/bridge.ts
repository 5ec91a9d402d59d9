/** What the preload script adds to the page: the native dialogs. Everything else goes over the host's port. */
export interface DesktopBridge {
  /** Asks where to save `bytes`, proposing `name`. Returns the path, or null if the user cancelled. */
  saveFile(name: string, bytes: Uint8Array): Promise<string | null>
  /** Asks for a folder. Returns its path, or null if the user cancelled. */
  chooseFolder(): Promise<string | null>
  /** Shows the progress of training on the taskbar, 0 to 1, and keeps the machine awake; null where nothing trains. */
  showTraining(fraction: number | null): void
  /** Says that the page has ended its training, as `endTraining` asked. */
  trainingEnded(): void
}

/** How main answers a call of the preload script: errors as text, for Electron would wrap them in its own words. */
export type BridgeAnswer = { value: unknown } | { error: string }

/**
 * Sent to the page when the application quits while it trains: on this channel and, with a colon before what is to be
 * done, as a message to its own window: to leave the training for the next start, at a checkpoint, or to stop it for good.
 */
export const endTraining = 'mixlab:end-training'
export type TrainingEnd = 'leave' | 'stop'

/**
 * What a page asks of main by a message to its own window, with the channel on which the preload script passes it on: a way
 * to the host, a way to its kernels, and, the page of the hidden window, the ports of pages that need kernels.
 */
export const portRequests: Record<string, string> = {
  'mixlab:host?': 'connect-host',
  'mixlab:kernels?': 'connect-kernels',
  'mixlab:pages?': 'serve-kernels',
}

/** What it gets in turn, each as a message with a port; also the channels on which main hands them to the preload script. */
export const hostPortMessage = 'mixlab:host'
export const kernelsPortMessage = 'mixlab:kernels'
export const pagePortMessage = 'mixlab:page'
