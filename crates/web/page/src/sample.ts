// A key, a file and its signature, for a reader who has none at hand. The key signed this and no more.
const TEXT = "Firmware 1.4.2, signed with a hash-based one-time key.\n";
const KEY =
  "AAAAAQAAAAoAAAAIDYld84ih44LyjUz0yuS0euvOJNVeiKJ/J3KNh8GUKzmVeAQJ9FvQ7Q==";
const SIGNATURE =
  "AAAAAAAAAAAAAAAICYq/9qeaI1tMun7CyvgWa3AdaFBWd0vl37a/xmlZu9aGI52Q0NB5Fvn6hthZ3emIcJSV0TebGpTquIoUQwyL1FQeZW93q8" +
  "diyEbxJGTfC1ldKm04Dt0Lj+uIsAUguOl+xEXb8g4bus7KYmgYmL6YLF3LFF6nD468EOe58KRAemJk+D472gV3eUHSqHkQw7qx3G6BcuQtXx/k" +
  "NSZDFvc1YTVmsi9U8PetPa7X4G7E4ALe4amoJ8aZe/xSGJMv/RNQNu0Eu0lSpzT/o3CbD70GVfQn3/qd/TniBBYhTrpGCo6YZOWTJy6FUIQxNi" +
  "u4SURNyWO1PBv3rSHmgKGsiVhEMVZgDFIXHS8P7hRvyazkYSZ+zejLUqavwW9ZNWhXnVpZicsRkUL0qaRkwu6QDOUH355sSAOJL45FaqjvgYes" +
  "xmPSPyK06X/yL/59y++HlVaighgFw8Req1aNwCH7lhWzA3ifbcpJjuq4OcD2AFHgp/NpquMXcm0tDRQJ7jhDVxG5L/0yRRD1S2LYj/o7oWcOOw" +
  "yU71bqdeaDTcdLvN6FAdWTWYj4QjvrfSWurIgP65zV6RQiYx3ke/USscswIC1BQkUyOqh3cXVD/ES8cEb0uGoHrjlTQSWuAMIM8wqtAyFKID6T" +
  "YEYcgJxsbh1xFmgJW7HrUy7aenxtmGRMFePXaNV0CC81DjnjyoNu26TLXZJ+wYfF7PpmMHnjfRfxIzL1F9ZSSK6B9UYw1MlbPAc9TktJxf3DAs" +
  "RWF/wakbvpS8LeOvW9J4pFqqgn5CbGNzIFzPcUWIGmfpRMXHPEYuCp71sZgVMBXJXaLBTVu1fb/aUnmIXDe/3CN4pPAXVF07iF3zhmTTINkMmN" +
  "AAAACoxSLjlm1xdzY0hUd23BiiaNGlzX8H73KQn9jSPJTW6LEvozhsym0BaxSXjteOYYtc2wpVwoEbklTuHo4ifgWjR5PBZalp+RojJEEufa/V" +
  "J+3iCVPm2G/MX0MQbF+H0AYPKPAyB81SYT7IseZd7YHnSNF95pgbtlfA==";

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Returns the parts of the sample; of a changed one the file has another digit. */
export function sample(changed: boolean): Record<"key" | "file" | "signature", File> {
  const text = changed ? TEXT.replace("1.4.2", "1.4.3") : TEXT;
  return {
    key: new File([bytes(KEY)], "sample-key.raw"),
    file: new File([text], changed ? "sample-changed.bin" : "sample.bin"),
    signature: new File([bytes(SIGNATURE)], "sample.sig"),
  };
}
