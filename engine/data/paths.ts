/** `name` inside `folder`; an absolute name stays as it is. */
export function join(folder: string, name: string): string {
  return /^([\\/]|[A-Za-z]:[\\/])/.test(name) ? name : `${folder.replace(/[\\/]+$/, '')}/${name}`
}
