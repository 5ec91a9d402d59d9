import { desktop } from './desktop.ts'

/** Lets the user keep bytes as a file: through a dialog on the desktop, as a download in a browser. */
export async function saveBytes(name: string, bytes: Uint8Array): Promise<void> {
  const application = desktop()
  if (application) {
    await application.saveFile(name, bytes)
    return
  }
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
