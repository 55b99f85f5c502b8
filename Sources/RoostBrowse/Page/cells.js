// Values

const numeric = new Set(["Int", "UInt", "Double", "Float", "Decimal", "Duration"]);
const comparable = (field) => !["List", "Set", "Dictionary", "Links", "Blob", "JSON", "CompoundKey"].includes(field.type);

/** The kind of a picture by its first bytes; SVG is none, for it is a document. */
function pictureType(hex) {
  if (hex.startsWith("89504e470d0a1a0a")) return "image/png";
  if (hex.startsWith("ffd8ff")) return "image/jpeg";
  if (hex.startsWith("474946383761") || hex.startsWith("474946383961")) return "image/gif";
  if (hex.startsWith("52494646") && hex.slice(16, 24) === "57454250") return "image/webp";
  return null;
}

const spaced = (hex) => (hex.match(/../g) || []).join(" ");

/** What a value is as plain text, for copying and for titles. */
function plain(value) {
  if (value === null || value === undefined) return "NULL";
  if (typeof value !== "object") return String(value);
  if ("t" in value) return value.t + "…";
  if ("hex" in value) return `${bytes(value.n)}  ${spaced(value.hex)}${value.n > 16 ? " …" : ""}`;
  if ("links" in value) return `${many(value.links, "link")}: ${value.first.map((link) => link.l ?? link.k).join(", ")}`;
  return value.l ? `${value.l} (${value.k})` : value.k;
}

/** Fills an element with a value. */
function fill(element, value, field) {
  element.className = "cell";
  element.replaceChildren();
  const put = (kind, text) => element.append(el("span", { class: kind }, text));
  if (value === null) put("null", "NULL");
  else if (value === "") put("empty", "empty");
  else if (typeof value === "string") {
    if (field && numeric.has(field.type)) element.classList.add("number");
    element.append(value);
  } else if ("t" in value) {
    element.append(value.t);
    put("more", `… ${bytes(value.n)}`);
  } else if ("hex" in value) {
    const picture = pictureType(value.hex);
    put("more", picture ? `${picture.slice(6).toUpperCase()}, ${bytes(value.n)}` : bytes(value.n));
    if (!picture) put("hex", " " + spaced(value.hex));
  } else if ("links" in value) {
    put("more", count(value.links));
    for (const target of value.first) element.append(" ", linkTo(field.target, target));
    if (value.links > value.first.length) put("more", " …");
  } else {
    element.append(linkTo(field.target, value));
  }
}

/** A link to an object, labelled by its first text. */
function linkTo(name, target) {
  const label = target.l ?? target.k;
  const element = link(label, ["object", name, target.k], {}, { class: "to", tabindex: "-1" });
  if (target.l !== undefined && target.l !== null) element.title = `${name} ${target.k}`;
  return element;
}

const widths = {
  Bool: 72, Int: 112, UInt: 150, Double: 130, Float: 110, Date: 200, UUID: 300, String: 220, Data: 200, Blob: 200,
  Link: 180, Links: 240, List: 220, Set: 220, Dictionary: 240, JSON: 260, Decimal: 120, Duration: 110, CompoundKey: 220,
};
