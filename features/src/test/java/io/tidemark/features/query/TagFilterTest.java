// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tags: case F9 and the grammar of the spec's section 1.8. */
class TagFilterTest {

  @ParameterizedTest
  @CsvSource({
    "Existing_Normalized_Tag, existing_normalized_tag",
    "@Existing_Non_Normalized_Tag, @Existing_Non_Normalized_Tag",
    "~AbC, ~AbC",
    "#AbC, #AbC",
    "ref_AbC, ref_AbC",
    "sourceID_AbC, sourceID_AbC",
    "Ünï, uni"
  })
  void f9TagsAreNormalised(String tag, String normal) {
    assertThat(TagFilter.normalize(tag)).isEqualTo(normal);
  }

  @Test
  void f9TagsAreAddedOnceAndRemoved() {
    List<String> tags = List.of("existing_normalized_tag", "@Existing_Non_Normalized_Tag");

    List<String> more =
        TagFilter.add(
            tags,
            List.of(
                "100",
                "New_Normalized_Tag",
                "@New_Non_Normalized_Tag",
                "Existing_Normalized_Tag",
                "@Existing_Non_Normalized_Tag"));

    assertThat(more)
        .containsExactly(
            "existing_normalized_tag",
            "@Existing_Non_Normalized_Tag",
            "100",
            "new_normalized_tag",
            "@New_Non_Normalized_Tag");
    assertThat(TagFilter.remove(more, List.of("EXISTING_normalized_tag", "100", "none")))
        .containsExactly(
            "@Existing_Non_Normalized_Tag", "new_normalized_tag", "@New_Non_Normalized_Tag");
  }

  @Test
  void f9AFeatureIsTagged() {
    Feature feature = Feature.parse("{\"id\": \"a\"}");

    Feature tagged = feature.withTags(TagFilter.add(feature.tags(), List.of("One", "@Two")));

    assertThat(feature.tags()).isEmpty();
    assertThat(tagged.tags()).containsExactly("one", "@Two");
    assertThat(tagged.withTags(TagFilter.remove(tagged.tags(), List.of("ONE"))).tags())
        .containsExactly("@Two");
    assertThat(tagged.id()).contains("a");
  }

  @Test
  void aTagIsLookedForNormalisedAndAsItIsGivenIfItCanBeStoredSo() {
    assertThat(TagFilter.forms("bus")).containsExactly("bus");
    assertThat(TagFilter.forms("@Bus")).containsExactly("@Bus");
    assertThat(TagFilter.forms("Büs")).containsExactly("bus", "Büs");
    assertThat(TagFilter.forms("a\0b")).containsExactly("ab");
    assertThat(TagFilter.forms("a\uD800b")).containsExactly("ab");
  }

  @Test
  void aCommaIsOrAndAPlusIsAnd() {
    assertThat(TagFilter.parse("six,three+four").anyOf())
        .containsExactly(List.of("six"), List.of("three", "four"));
    assertThat(TagFilter.parse("a", "b+c").anyOf())
        .containsExactly(List.of("a"), List.of("b", "c"));
    assertThat(TagFilter.parse(",a").anyOf()).containsExactly(List.of("a"));
    assertThat(TagFilter.any("a", "b")).isEqualTo(TagFilter.parse("a,b"));
    assertThat(TagFilter.all("a", "B")).isEqualTo(TagFilter.parse("a+B"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,", "a+", "a,,b", "a;b", "a|b", "+a", "日本"})
  void whatAreNoTagsIsRefused(String text) {
    assertThatThrownBy(() -> TagFilter.parse(text)).isInstanceOf(InvalidRequestException.class);
  }
}
