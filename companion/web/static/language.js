// The language of the pages on this browser, where somebody wants another than the browser says.

const YEAR_S = 365 * 24 * 3600;

export function placeLanguage() {
  const chosen = document.getElementById("language");
  chosen.addEventListener("change", () => {
    document.cookie = `language=${chosen.value};path=/;max-age=${YEAR_S};samesite=strict`;
    location.reload();
  });
}
