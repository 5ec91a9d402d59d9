/** Width and heads of the sizes of ViT that timm publishes; no two checkpoints of a name differ in them. */
const SIZES: Record<string, [dim: number, heads: number]> = {
  ...{ wee: [256, 4], little: [320, 5], tiny: [192, 3], small: [384, 6], medium: [512, 8], betwixt: [640, 10] },
  ...{ base: [768, 12], large: [1024, 16], huge: [1280, 16], giant: [1408, 16], gigantic: [1664, 16] },
}

/**
 * The heads of an architecture by its name in timm, e.g. `vit_tiny_patch16_224`, undefined for others, and for a width that
 * is not the published one.
 */
export function publishedHeads(architecture: string | undefined, dim: number): number | undefined {
  const [, size = ''] = /^(?:vit|deit|deit3)_([a-z]+)_(?:distilled_)?patch\d+_/.exec(architecture ?? '') ?? []
  const [own, heads] = SIZES[size] ?? []
  return dim === own ? heads : undefined
}
