/** `name` inside `folder`; an absolute name stays as it is. */
export function join(folder: string, name: string): string {
  return /^([\\/]|[A-Za-z]:[\\/])/.test(name) ? name : `${folder.replace(/[\\/]+$/, '')}/${name}`
}

/** The folder that `path` is in and its name there. */
export function parent(path: string): { folder: string; name: string } {
  const trimmed = path.replace(/(.)[\\/]+$/, '$1')
  const at = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'))
  return { folder: at === -1 ? '.' : trimmed.slice(0, at) || trimmed.slice(0, 1), name: trimmed.slice(at + 1) }
}
