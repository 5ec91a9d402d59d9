/** Reads the user's data files. Paths are relative to the notebook's workspace, or absolute. */
export interface FileSource {
  /** Entries of a folder, sorted by name. Throws MixlabError `data` (missing) or `permission`. */
  list(path: string): Promise<FileEntry[]>
  /**
   * A file, or its bytes from `from` to `to` (not included), fewer where it ends before. Throws MixlabError `data`
   * (missing) or `permission`.
   */
  read(path: string, from?: number, to?: number): Promise<Uint8Array>
}

export interface FileEntry {
  name: string
  kind: 'file' | 'folder'
  /** Bytes; 0 for a folder. */
  size: number
}
