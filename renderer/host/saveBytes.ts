import { desktop } from './desktop.ts'

/**
 * Lets the user keep bytes as a file: through a dialog on the desktop, as a download in a browser. Returns whether it was
 * saved, and not where the user changed their mind.
 */
export async function saveBytes(name: string, bytes: Uint8Array): Promise<boolean> {
  const application = desktop()
  if (application) return (await application.saveFile(name, bytes)) !== null
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return true
}
