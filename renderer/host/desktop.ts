/** What only the desktop application has; the page in a browser does without. */
export interface Desktop {
  /** Asks where to save and writes. Returns the path, or null if the user changed their mind. */
  saveFile(name: string, bytes: Uint8Array): Promise<string | null>
  chooseFolder(): Promise<string | null>
  /** Shows the progress of training on the taskbar, 0 to 1, and keeps the machine awake; null where nothing trains. */
  showTraining(fraction: number | null): void
  /** Says that what `mixlab:end-training` asked for is done. */
  trainingEnded(): void
}

/** The desktop's functions, or null in a browser. */
export function desktop(): Desktop | null {
  return (globalThis as { mixlabDesktop?: Desktop }).mixlabDesktop ?? null
}
