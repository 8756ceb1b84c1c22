// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.objects.InvalidLocationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Layout of new records, taken out of a location: the store itself doesn't know about records.
 *
 * @param store the location of the store
 * @param layout the value of {@code layout=}, or else the default layout
 */
record LayoutSetting(String store, DocumentLayout layout) {

  private static final String NAME = "layout=";

  /** In a plain path a question mark is an ordinary character. */
  private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*", Pattern.DOTALL);

  static LayoutSetting in(String location) {
    int question = location.indexOf('?');
    if (question < 0 || !URI.matcher(location).matches()) {
      return new LayoutSetting(location, DocumentLayout.B);
    }
    List<String> others = new ArrayList<>();
    List<String> layouts = new ArrayList<>();
    for (String setting : location.substring(question + 1).split("&", -1)) {
      (setting.startsWith(NAME) ? layouts : others).add(setting);
    }
    if (layouts.isEmpty()) {
      return new LayoutSetting(location, DocumentLayout.B);
    }
    String place = location.substring(0, question);
    String store = others.isEmpty() ? place : place + "?" + String.join("&", others);
    return new LayoutSetting(store, layout(location, layouts));
  }

  private static DocumentLayout layout(String location, List<String> settings) {
    String word = settings.get(0).substring(NAME.length());
    return Arrays.stream(DocumentLayout.values())
        .filter(
            documentLayout -> settings.size() == 1 && documentLayout.name().equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidLocationException(
                    "the location \""
                        + location
                        + "\" has "
                        + String.join(" and ", settings)
                        + "; write one of layout=A, layout=B and layout=C"));
  }
}
