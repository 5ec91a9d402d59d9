import type { DiagramNode } from './node.ts'

/** The ids of the parts around the operations of a model, `levels` deep; those with a difference inside of any depth. */
export function openedTo(root: DiagramNode, levels: number): Set<string> {
  const open = new Set<string>()
  const walk = (node: DiagramNode, left: number) => {
    for (const child of node.children) {
      if (child.children.length === 0 || (left <= 0 && child.mark !== 'changed' && !holdsFault(child))) continue
      open.add(child.id)
      walk(child, left - 1)
    }
  }
  walk(root, levels)
  return open
}

/** Whether the code fails somewhere in a part. */
function holdsFault({ wrong, children }: DiagramNode): boolean {
  return wrong !== null || children.some(holdsFault)
}
