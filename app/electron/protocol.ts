import { protocol } from 'electron'
import { headersFor } from '../headers.ts'
import { readPageFile } from '../server/page-files.ts'

const scheme = 'mixlab'
const site = 'workbench'

/** Where the page is. */
export const pageUrl = `${scheme}://${site}/`

/** Where the page of the hidden window is. */
export const kernelsUrl = `${pageUrl}kernels.html`

/** Whether `url` is on the page's origin. */
export function isPage(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === `${scheme}:` && parsed.host === site
}

/** Makes `mixlab:` a scheme with origins, like https. To be called before the app is ready. */
export function registerScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }])
}

/** Serves the built page in `folder` at `pageUrl`. */
export function servePage(folder: string): void {
  protocol.handle(scheme, (request) => pageResponse(folder, request))
}

async function pageResponse(folder: string, { method, url }: Request): Promise<Response> {
  if (method !== 'GET' || !isPage(url)) return new Response(null, { status: 403 })
  const { pathname } = new URL(url)
  const file = await readPageFile(folder, pathname)
  if (!file) return new Response(null, { status: 404, headers: headersFor(pathname) })
  return new Response(file.bytes, { headers: { ...headersFor(pathname), 'content-type': file.type } })
}
