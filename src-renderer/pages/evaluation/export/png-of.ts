/** Twice as many pixels, for screens that have them. */
const SCALE = 2;

/** A drawing as a picture of pixels. @throws Error where the browser cannot draw it */
export async function pngOf({ svg, width, height }: { svg: string; width: number; height: number }): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = SCALE * width;
    canvas.height = SCALE * height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/png'));
    if (!blob) throw new Error('The browser made no picture.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
